/// Reads the bytes of an input as choices, from which a target builds well-formed requests.
///
/// After the last byte every choice is the first one. Every input is therefore valid, and a longer one only adds
/// choices.
struct Input {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// True after the last byte.
    var isAtEnd: Bool { position >= bytes.count }

    /// Reads the next byte; 0 after the last one.
    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// Returns true for half of all bytes.
    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// Returns a number from 0 to `limit`, which is at most 255.
    mutating func count(upTo limit: Int) -> Int { Int(byte()) % (limit + 1) }

    /// Returns an element of a list that is not empty.
    mutating func choice<Element>(_ elements: [Element]) -> Element {
        // Uses two bytes if one cannot reach every element.
        let index = elements.count > 256 ? Int(byte()) << 8 | Int(byte()) : Int(byte())
        return elements[index % elements.count]
    }

    /// Returns the bytes up to the next line feed, without it.
    mutating func line() -> ArraySlice<UInt8> {
        let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
        defer { position = min(end + 1, bytes.count) }
        return bytes[position..<end]
    }

    /// Returns the remaining bytes.
    mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    /// Returns any double, including NaN and infinity.
    mutating func double() -> Double {
        Double(bitPattern: (0..<8).reduce(0) { bits, _ in bits << 8 | UInt64(byte()) })
    }
}
