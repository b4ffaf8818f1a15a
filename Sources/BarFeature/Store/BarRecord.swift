package import BarLayout
package import Primitives

/// A state of a bar: the present one, or an earlier one.
///
/// It has some hundred bytes, so an operation consumes the present record and returns it changed, instead of a copy.
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

extension WallTime {
    func adding(seconds: Int) -> WallTime { WallTime(milliseconds: milliseconds + seconds * 1000) }
}

/// The identifier of a bar: 128 random bits, so a client that knows it was given it.
///
/// With `SPRINGBAR_REPLICA` the first byte is that of the replica, and 120 bits are random.
package struct BarID: Sendable, Hashable {
    // In halves: an object with an integer of 128 bits needs an aligned block, which costs twice as much to allocate.
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Adds one half, since each has as many random bits as a hash needs.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
    }

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
        var (high, low, all): (UInt64, UInt64, UInt8) = (0, 0, 0)
        for index in 0..<BarID.length / 2 {
            let first = BarID.values[Int(digits[index])]
            let second = BarID.values[Int(digits[index + BarID.length / 2])]
            high = high << 4 | UInt64(first & 0xF)
            low = low << 4 | UInt64(second & 0xF)
            all |= first | second
        }
        guard all <= 0xF else { return nil }
        self.init(high: high, low: low)
    }

    /// The value of each byte as a digit; above 15 for bytes that are none.
    private static let values: [UInt8] = (0...UInt8.max).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: .max
        }
    }

    /// The identifier as hexadecimal digits, as in a URL.
    package var text: String { String(unsafeUninitializedCapacity: BarID.length, initializingUTF8With: write) }

    /// Writes the digits to a buffer of at least `length` bytes; returns their number.
    func write(to digits: UnsafeMutableBufferPointer<UInt8>) -> Int {
        func digit(_ half: UInt64, _ index: Int) -> UInt8 {
            let value = UInt8(truncatingIfNeeded: half &>> UInt64(60 - 4 * index)) & 0xF
            return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        }
        let half = BarID.length / 2
        for index in 0..<half { digits[index] = digit(high, index) }
        for index in 0..<half { digits[half + index] = digit(low, index) }
        return BarID.length
    }

    static let length = 32
}
