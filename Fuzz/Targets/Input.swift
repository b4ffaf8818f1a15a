/// Reads the bytes of an input as choices, so that a target can build well-formed requests of them.
///
/// Behind the last byte every choice is the first one: each input is valid, and a longer one only adds to it.
struct Input {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// True behind the last byte.
    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte; 0 behind the last one.
    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// True for half of all bytes.
    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// A number from 0 to `limit`, which is at most 255.
    mutating func count(upTo limit: Int) -> Int { Int(byte()) % (limit + 1) }

    /// One element of a list that is not empty.
    mutating func choice<Element>(_ elements: [Element]) -> Element {
        // Two bytes where one does not reach every element.
        let index = elements.count > 256 ? Int(byte()) << 8 | Int(byte()) : Int(byte())
        return elements[index % elements.count]
    }

    /// The bytes up to the next line feed, which is left out.
    mutating func line() -> ArraySlice<UInt8> {
        let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
        defer { position = min(end + 1, bytes.count) }
        return bytes[position..<end]
    }

    /// All bytes that are left.
    mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    /// Any double, NaN and infinity included.
    mutating func double() -> Double {
        Double(bitPattern: (0..<8).reduce(0) { bits, _ in bits << 8 | UInt64(byte()) })
    }
}
