import Glibc

/// Appends values to bytes: an event in a log takes a tenth of the memory of the value itself.
///
/// The memory after the bytes exists already, and its content is arbitrary. So a number is stored as a whole word, of
/// which some bytes count, and not byte by byte.
///
/// It owns its memory and is never copied, so that an append only checks for room. `@unchecked Sendable`: no other object
/// has the address of the memory.
package struct ByteWriter: ~Copyable, @unchecked Sendable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    /// The number of bytes so far; only writing changes it.
    package var count = 0

    /// A writer with memory for `capacity` bytes; it grows on demand.
    package init(capacity: Int = 0) {
        self.capacity = capacity + MemoryLayout<UInt64>.size
        guard let memory = malloc(self.capacity) else { fatalError("no memory for \(self.capacity) bytes") }
        self.memory = memory
    }

    deinit {
        free(memory)
    }

    /// A copy of the bytes so far.
    package var bytes: [UInt8] { bytes(in: 0..<count) }

    /// Returns a copy of some of the bytes.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        withBytes { Array(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Passes the bytes so far to `body`.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    // MARK: Numbers

    /// Appends a byte.
    package mutating func put(_ byte: UInt8) {
        put(highest: 1, of: UInt64(byte) << 56)
    }

    /// Appends a number as the count of its bytes that are not zero at the end, and these bytes.
    ///
    /// Sizes and positions of views are mostly whole numbers or halves, which need two or three bytes.
    package mutating func put(_ number: Double) {
        let bits = number.bitPattern
        let used = 8 - bits.trailingZeroBitCount &>> 3
        if capacity - count < 9 { grow(by: 9) }
        (memory + count).storeBytes(of: UInt8(truncatingIfNeeded: used), as: UInt8.self)
        (memory + count + 1).storeBytes(of: bits.bigEndian, as: UInt64.self)
        count += 1 + used
    }

    /// Appends 8 bytes, the lowest first.
    package mutating func put(bits: UInt64) {
        put(highest: 8, of: bits.byteSwapped)
    }

    /// Appends a number in as many bytes as it needs: 7 bits in each, the lowest first; 0 for a negative number.
    package mutating func put(number: Int) {
        var unwritten = UInt(max(0, number))
        while unwritten >= 0x80 {
            put(UInt8(truncatingIfNeeded: unwritten) | 0x80)
            unwritten >>= 7
        }
        put(UInt8(truncatingIfNeeded: unwritten))
    }

    /// Appends the first bytes of a word, at most 8, the highest first.
    package mutating func put(highest count: Int, of word: UInt64) {
        if capacity - self.count < MemoryLayout<UInt64>.size { grow(by: MemoryLayout<UInt64>.size) }
        (memory + self.count).storeBytes(of: word.bigEndian, as: UInt64.self)
        self.count += count
    }

    // MARK: Bytes

    /// Appends a text after the number of its bytes.
    package mutating func put(_ text: String) {
        var text = text
        text.withUTF8 { put(content: UnsafeRawBufferPointer($0)) }
    }

    /// Appends bytes after their number.
    package mutating func put(_ content: [UInt8]) {
        content.withUnsafeBytes { put(content: $0) }
    }

    mutating func put(content: UnsafeRawBufferPointer) {
        put(number: content.count)
        put(raw: content)
    }

    /// Appends bytes without their number.
    package mutating func put(raw content: UnsafeRawBufferPointer) {
        if capacity - count < content.count { grow(by: content.count) }
        UnsafeMutableRawBufferPointer(start: memory + count, count: content.count).copyMemory(from: content)
        count += content.count
    }

    /// Replaces the memory by one of twice the size, or with `room` more bytes if that is larger.
    @inline(never)
    mutating func grow(by room: Int) {
        capacity += max(capacity, room)
        guard let larger = realloc(memory, capacity) else { fatalError("no memory for \(capacity) bytes") }
        memory = larger
    }
}

/// Reads the values that a ``ByteWriter`` appended.
///
/// It throws for bytes that no writer makes, because another version of the service may have written those of a shared
/// store.
///
/// It refers to the bytes and does not own them. So it exists only while ``read(_:_:)`` runs: it is never copied, and the
/// function that gets it cannot return it.
package struct ByteReader: ~Copyable {
    let bytes: UnsafeRawBufferPointer
    /// The position of the next byte; only reading changes it.
    package var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Passes a reader of some bytes to `body`.
    package static func read<Result, Failure: Error>(
        _ bytes: [UInt8],
        _ body: (consuming ByteReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try body(ByteReader(UnsafeRawBufferPointer(bytes)))
        }
    }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { position >= bytes.count }

    /// Reads a byte.
    package mutating func byte() throws(StoredBytesError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number that was written as a `Double`.
    package mutating func double() throws(StoredBytesError) -> Double {
        let count = try byte()
        guard count <= 8 else { throw .unknownKind(count) }
        guard count > 0 else { return 0 }
        // Of eight bytes, those after `count` belong to other values.
        if position <= bytes.count - 8 {
            let next = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += Int(count)
            return Double(bitPattern: UInt64(bigEndian: next) & .max &<< (64 &- 8 &* UInt64(count)))
        }
        let bits = try take(Int(count)).reduce(0) { $0 << 8 | UInt64($1) }
        return Double(bitPattern: bits << (64 - 8 * UInt64(count)))
    }

    /// Reads 8 bytes, the lowest first.
    package mutating func bits() throws(StoredBytesError) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads a number of at most 56 bits, which covers moments and counts.
    package mutating func number() throws(StoredBytesError) -> Int {
        var number = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            let byte = try byte()
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .numberTooLarge
    }

    /// Reads the number of elements that follow, of at least one byte each.
    package mutating func count() throws(StoredBytesError) -> Int {
        let count = try number()
        guard count <= bytes.count - position else { throw .truncated }
        return count
    }

    /// Reads a text after the number of its bytes.
    package mutating func text() throws(StoredBytesError) -> String {
        let bytes = try take(try count())
        // `String(validating:as:)` is generic, which costs a short text more than its bytes.
        guard let text = try? UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span) else { throw .invalidText }
        return String(copying: text)
    }

    /// Reads bytes after their number.
    package mutating func content() throws(StoredBytesError) -> [UInt8] {
        Array(try take(try count()))
    }

    /// Reads the elements of a list after their count.
    package mutating func list<Element>(
        _ element: (inout ByteReader) throws(StoredBytesError) -> Element
    ) throws(StoredBytesError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try count()) { elements.append(try element(&self)) }
        return elements
    }

    mutating func take(_ count: Int) throws(StoredBytesError) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
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
    /// A number has more than 56 bits, or is too large for its meaning.
    case numberTooLarge
    /// The format is that of another version of the service.
    case unknownFormat(UInt8)
    /// The entries of a log are not those that its owner counts.
    case inconsistentLog
    /// A value is not allowed, or an event cannot be applied.
    case invalid(reason: String)
}
