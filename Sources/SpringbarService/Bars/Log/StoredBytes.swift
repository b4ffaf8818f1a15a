package import BarLayout

/// Appends values to bytes: in a log an event takes a quarter of the memory of the value itself.
struct ByteWriter: Sendable, Equatable {
    private(set) var bytes: [UInt8] = []

    /// A writer with memory for `capacity` bytes.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func put(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func put(_ number: Double) {
        put(bits: number.bitPattern)
    }

    mutating func put(bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a number as the count of its bytes that are not zero at the end, and these bytes.
    ///
    /// Sizes of views are mostly whole numbers or halves, which need two or three bytes.
    mutating func put(compact number: Double) {
        let bits = number.bitPattern
        let count = 8 - bits.trailingZeroBitCount / 8
        put(UInt8(count))
        withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Appends a count of elements, for `list`.
    mutating func put(count: Int) {
        put(number: count)
    }

    mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ content: [UInt8]) {
        put(count: content.count)
        bytes.append(contentsOf: content)
    }

    /// Appends a number, at least 0, in as many bytes as it needs: 7 bits in each, the lowest first.
    mutating func put(number: Int) {
        var rest = UInt(number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads the values that a ``ByteWriter`` appended.
///
/// It throws for bytes that no writer makes, because another version of the service may have written the log of a
/// shared store.
struct ByteReader {
    private let bytes: [UInt8]
    private var position: Int

    /// A reader of the bytes from a position on, which is at most their number.
    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(StoredBytesError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func double() throws(StoredBytesError) -> Double {
        Double(bitPattern: try bits())
    }

    /// Reads a number that `put(compact:)` appended.
    mutating func compactDouble() throws(StoredBytesError) -> Double {
        let count = try byte()
        guard count <= 8 else { throw .unknownKind(count) }
        let bits = try take(Int(count)).reduce(0) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: count == 0 ? 0 : bits << UInt64(64 - 8 * Int(count)))
    }

    mutating func bits() throws(StoredBytesError) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number of at most 56 bits, which covers moments and counts.
    mutating func number() throws(StoredBytesError) -> Int {
        var number = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            let byte = try byte()
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .numberTooLarge
    }

    /// Reads the number of elements that follow, of at least one byte each.
    mutating func count() throws(StoredBytesError) -> Int {
        let count = try number()
        guard count <= bytes.count - position else { throw .truncated }
        return count
    }

    mutating func text() throws(StoredBytesError) -> String {
        let bytes = try take(try count())
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return text
    }

    mutating func content() throws(StoredBytesError) -> [UInt8] {
        Array(try take(try count()))
    }

    /// Reads the elements of a list after their count.
    mutating func list<Element>(
        _ element: (inout ByteReader) throws(StoredBytesError) -> Element
    ) throws(StoredBytesError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try element(&self)) }
        return elements
    }

    private mutating func take(_ count: Int) throws(StoredBytesError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

/// The reason why stored bytes cannot be read.
package enum StoredBytesError: Error, Sendable, Equatable {
    /// A value is longer than the rest of the bytes.
    case truncated
    /// A byte that selects a kind of value has no meaning.
    case unknownKind(UInt8)
    /// A bit of flags is not known to this version of the service.
    case unknownFlags(UInt16)
    /// A text is not UTF-8.
    case invalidText
    /// A number has more than 56 bits.
    case numberTooLarge
    /// The format is that of another version of the service.
    case unknownFormat(UInt8)
    /// The entries of a log are not those that its bar lists.
    case inconsistentLog
    /// A value is not allowed, or an event cannot be applied.
    case invalid(BarLayoutError)
    /// A value of a photo or a page is not allowed.
    case invalidPhoto
}
