package import BarLayout
import JSON
package import Primitives

/// A state of a bar, present or earlier; it has some hundred bytes, so an operation changes it in place.
package struct BarRecord: Sendable, Equatable {
    package internal(set) var session: BarSession
    /// The number of events and changes of the tracks so far; a store compares it before it writes.
    package internal(set) var revision = 0
    /// The number of the last event; 0 before the first one.
    package internal(set) var lastSequence = 0
    /// The time from a write to the end of the bar, in seconds; 0 for a state that is not the present one of a stored bar.
    package internal(set) var ttlSeconds = 0
    /// The end of the bar; a state that is not the present one has none.
    package internal(set) var expiresAt = WallTime(milliseconds: 0)
    /// Distinguishes the bars that one idempotency key has made under one id; 0 for the first one.
    package var creation: UInt64 = 0

    /// Postpones the end, as a write does.
    package mutating func renew(at now: WallTime) {
        expiresAt = now.adding(seconds: ttlSeconds)
    }
}

extension BarRecord {
    package init(session: BarSession, ttlSeconds: Int, now: WallTime) {
        self.init(session: session, ttlSeconds: ttlSeconds, expiresAt: now.adding(seconds: ttlSeconds))
    }
}

/// The version of a bar for clients: its entity tag, and the number of its server-sent event.
///
/// The first bar under an id has the revision alone, as released clients expect.
package struct BarTag: Sendable, Equatable {
    let revision: Int
    var creation: UInt64 = 0

    package var text: String {
        creation == 0 ? String(revision) : "\(revision)-" + String(creation, radix: 36)
    }

    /// The value of an `ETag`.
    var quoted: String { creation == 0 ? DecimalText.quoted(revision) : "\"\(text)\"" }
}

extension BarRecord {
    var tag: BarTag { BarTag(revision: revision, creation: creation) }
}

extension WallTime {
    package func adding(seconds: Int) -> WallTime { WallTime(milliseconds: milliseconds + seconds * 1000) }
}

/// The identifier of a bar: 128 random bits, so a client that knows it was given it.
///
/// With `SPRINGBAR_REPLICA` the first byte is that of the replica, and 120 bits are random.
package struct BarID: Sendable, Hashable {
    // In halves: an object with an integer of 128 bits needs an aligned block, which costs twice as much to allocate.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension BarID {
    /// Makes a new identifier; `generator` must be unpredictable.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(high: generator.next(), low: generator.next())
    }

    func beginning(with byte: UInt8) -> BarID {
        BarID(high: high & (.max >> 8) | UInt64(byte) << 56, low: low)
    }

    /// Reads the first byte of ids: two hexadecimal digits in lower case; nil for any other text.
    package static func firstByte(_ text: String) -> UInt8? {
        guard let id = BarID(text + String(repeating: "0", count: length - 2)) else { return nil }
        return UInt8(truncatingIfNeeded: id.high >> 56)
    }

    /// Reads 32 hexadecimal digits in lower case; nil for any other text.
    package init?(_ text: String) {
        let digits = text.utf8.span
        guard digits.count == BarID.length else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<4 {
            let word = digits.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) }
            let number = BarID.number(of: word)
            guard BarID.digits(of: number) == word else { return nil }
            halves = (halves.high << 32 | halves.low >> 32, halves.low << 32 | UInt64(number))
        }
        self.init(high: halves.high, low: halves.low)
    }

    /// The identifier as hexadecimal digits, as in a URL.
    package var text: String { String(unsafeUninitializedCapacity: BarID.length, initializingUTF8With: write) }

    /// Writes the digits to a buffer of at least `length` bytes; returns their number.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let memory = UnsafeMutableRawBufferPointer(digits)
        for (index, half) in [high >> 32, high, low >> 32, low].enumerated() {
            let word = BarID.digits(of: UInt32(truncatingIfNeeded: half))
            memory.storeBytes(of: word, toByteOffset: 8 * index, as: UInt64.self)
        }
        return BarID.length
    }

    /// Returns the 8 digits of a number, in the order of memory: each half of a byte becomes a byte of its own.
    private static func digits(of number: UInt32) -> UInt64 {
        var values = UInt64(number)
        values = (values | values << 16) & 0x0000_FFFF_0000_FFFF
        values = (values | values << 8) & 0x00FF_00FF_00FF_00FF
        values = (values | values << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Bit 7 of a byte is set if its value is above 9, which is a letter.
        let letters = (values &+ 0x7676_7676_7676_7676) >> 7 & 0x0101_0101_0101_0101
        return (values &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).bigEndian
    }

    /// Returns the number of 8 digits; an arbitrary one if they are not hexadecimal.
    private static func number(of digits: UInt64) -> UInt32 {
        let word = digits.bigEndian
        // Bit 6 of a letter is set.
        var values = word & 0x0F0F_0F0F_0F0F_0F0F &+ (word >> 6 & 0x0101_0101_0101_0101) &* 9
        values = (values | values >> 4) & 0x00FF_00FF_00FF_00FF
        values = (values | values >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: values | values >> 16)
    }

    static let length = 32
}
