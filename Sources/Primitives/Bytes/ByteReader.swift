/// Reads the values that a ``ByteWriter`` appended.
///
/// It throws for bytes that no writer makes, because another version of the service may have written those of a shared
/// store.
///
/// Public, because what only the package sees is not inlined in other modules; reading is a tenth of a POST.
public struct ByteReader {
    @usableFromInline
    let bytes: [UInt8]
    /// The position of the next byte; only reading changes it.
    public var position: Int

    /// A reader of the bytes from a position on.
    @inlinable
    public init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Whether all bytes were read.
    @inlinable
    public var isAtEnd: Bool { position >= bytes.count }

    /// Reads a byte.
    @inlinable
    public mutating func byte() throws(StoredBytesError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number that was written as a `Double`.
    @inlinable
    public mutating func double() throws(StoredBytesError) -> Double {
        let count = try byte()
        guard count <= 8 else { throw .unknownKind(count) }
        guard count > 0 else { return 0 }
        // Of eight bytes, those after `count` belong to other values.
        if position <= bytes.count - 8 {
            let next = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
            position += Int(count)
            return Double(bitPattern: UInt64(bigEndian: next) & .max << (64 - 8 * UInt64(count)))
        }
        let bits = try take(Int(count)).reduce(0) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: bits << (64 - 8 * UInt64(count)))
    }

    /// Reads 8 bytes, the lowest first.
    @inlinable
    public mutating func bits() throws(StoredBytesError) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number of at most 56 bits, which covers moments and counts.
    @inlinable
    public mutating func number() throws(StoredBytesError) -> Int {
        var number = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            let byte = try byte()
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .numberTooLarge
    }

    /// Reads the number of elements that follow, of at least one byte each.
    @inlinable
    public mutating func count() throws(StoredBytesError) -> Int {
        let count = try number()
        guard count <= bytes.count - position else { throw .truncated }
        return count
    }

    /// Reads a text after the number of its bytes.
    @inlinable
    public mutating func text() throws(StoredBytesError) -> String {
        let bytes = try take(try count())
        // `String(validating:as:)` is generic, which costs a short text more than its bytes.
        guard let text = try? UTF8Span(validating: bytes.span) else { throw .invalidText }
        return String(copying: text)
    }

    /// Reads bytes after their number.
    @inlinable
    public mutating func content() throws(StoredBytesError) -> [UInt8] {
        Array(try take(try count()))
    }

    /// Reads the elements of a list after their count.
    @inlinable
    public mutating func list<Element>(
        _ element: (inout ByteReader) throws(StoredBytesError) -> Element
    ) throws(StoredBytesError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try element(&self)) }
        return elements
    }

    @inlinable
    mutating func take(_ count: Int) throws(StoredBytesError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
