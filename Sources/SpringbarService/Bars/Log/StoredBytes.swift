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
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a count below 2^32.
    mutating func put(count: Int) {
        withUnsafeBytes(of: UInt32(count).littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ text: String) {
        put(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}

/// Reads the values that a ``ByteWriter`` appended.
///
/// It throws for bytes that no writer makes: the log of a shared store may come from another version of the service.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(StoredBytesError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func double() throws(StoredBytesError) -> Double {
        let bits = try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: bits)
    }

    /// Reads the number of elements that follow, of at least one byte each.
    mutating func count() throws(StoredBytesError) -> Int {
        let count = try take(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= bytes.count - position else { throw .truncated }
        return count
    }

    mutating func text() throws(StoredBytesError) -> String {
        let bytes = try take(try count())
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidText }
        return text
    }

    /// Reads the elements of a list behind their count.
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
    /// A text is not UTF-8.
    case invalidText
    /// A value is not allowed, or an event cannot be applied.
    case invalid(BarLayoutError)
}
