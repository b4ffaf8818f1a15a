/// Writes one JSON document, without white space and in the order of the calls, so that the same calls give the same
/// bytes (an entity tag can be their hash).
///
///     var json = JSONWriter(capacity: 64)
///     json.object { json in
///         json.member("height", 44.5)
///         json.array("bounds") { json in
///             json.value(0)
///             json.value(200)
///         }
///     }
///     json.bytes  // {"height":44.5,"bounds":[0,200]}
///
/// Numbers are written as ``DecimalText`` says; NaN and infinity are bugs of the caller and stop the process. The order of
/// the calls is not checked: a member needs an object, and a name needs one value. Nor are names checked for repetition.
///
/// It is never copied, so that writing a byte only checks for room; an array would also check whether it is shared.
/// `@unchecked Sendable`: no other object uses the buffer.
package struct JSONWriter: ~Copyable, @unchecked Sendable {
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0
    /// Whether the writer deallocates the buffer, because it is not that of ``document(capacity:_:)``.
    private var ownsBuffer = true
    /// Whether the next name or element follows another one.
    private var needsComma = false

    /// A writer with room for `capacity` bytes; it grows on demand.
    package init(capacity: Int = 256) {
        self.capacity = max(capacity, 1)
        buffer = .allocate(capacity: self.capacity)
    }

    private init(_ memory: UnsafeMutableBufferPointer<UInt8>, at start: UnsafeMutablePointer<UInt8>) {
        capacity = memory.count
        buffer = start
        ownsBuffer = false
    }

    deinit {
        if ownsBuffer { buffer.deallocate() }
    }

    /// Returns the document that `body` writes; with a `capacity` of up to 1024 bytes the writer uses the stack.
    package static func document(capacity: Int, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(capacity, 1)) { memory in
            guard let start = memory.baseAddress else { return [] }
            var json = JSONWriter(memory, at: start)
            body(&json)
            return json.bytes
        }
    }

    /// Returns an object with the members that `body` writes; `capacity` is its expected size in bytes.
    package static func object<Failure>(
        capacity: Int = 1024,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        try json.object(body)
        return json.bytes
    }

    /// The number of bytes written so far.
    package var byteCount: Int { count }

    /// The bytes written so far.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: buffer, count: count)) }

    /// Passes the bytes written so far to `body` without copying them.
    package func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        body(UnsafeBufferPointer(start: buffer, count: count))
    }

    /// Writes an object, with the members that `body` writes.
    package mutating func object<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        begin("{")
        try body(&self)
        end("}")
    }

    /// Writes an array, with the elements that `body` writes.
    package mutating func array<Failure>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        begin("[")
        try body(&self)
        end("]")
    }

    /// Writes a number, or `null` for nil.
    package mutating func value(_ value: Double?) {
        guard let value else { return null() }
        element(room: DecimalText.maximumLength) { DecimalText.write(value, to: $0) }
    }

    /// Writes an integer, or `null` for nil.
    package mutating func value(_ value: Int?) {
        guard let value else { return null() }
        element(room: DecimalText.maximumIntegerLength) { DecimalText.write(value, to: $0) }
    }

    /// Writes `true` or `false`, or `null` for nil.
    package mutating func value(_ value: Bool?) {
        guard let value else { return null() }
        literal(value ? "true" : "false")
    }

    /// Writes a string, or `null` for nil.
    package mutating func value(_ value: String?) {
        guard let value else { return null() }
        value.utf8.span.withUnsafeBufferPointer { source in
            // Most strings are plain; the others are written again.
            if element(room: source.count &+ 2, { QuotedText.writePlain(source, to: $0) }) { return }
            element(room: 6 * source.count + 2) { QuotedText.writeEscaped(source, to: $0) }
        }
    }

    /// Writes `null`.
    package mutating func null() {
        literal("null")
    }

    /// Writes bytes that are one JSON value already, such as a document of another writer.
    package mutating func raw(_ bytes: [UInt8]) {
        precondition(!bytes.isEmpty, "the bytes of a value must not be empty")
        element(room: bytes.count) { target in
            bytes.withUnsafeBufferPointer { source in
                // Not empty, so there is an address.
                guard let start = source.baseAddress else { return 0 }
                target.update(from: start, count: source.count)
                return source.count
            }
        }
    }

    /// Writes a part of the document as it is: in answers that are written often, the text between two values.
    ///
    /// If it ends with a colon, a value must follow.
    package mutating func part(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        put(room: count) { target in
            UnsafeMutableRawPointer(target).copyMemory(from: text.utf8Start, byteCount: count)
            return count
        }
        needsComma = count > 0 && text.utf8Start[count - 1] != UInt8(ascii: ":")
    }

    /// Writes a part of the document as it is, which ends with a colon, and a number.
    package mutating func part(_ text: StaticString, _ number: Double) {
        let count = text.utf8CodeUnitCount
        put(room: count &+ DecimalText.maximumLength) { target in
            UnsafeMutableRawPointer(target).copyMemory(from: text.utf8Start, byteCount: count)
            return count &+ DecimalText.write(number, to: target + count)
        }
        needsComma = true
    }

    /// Writes a string of ASCII without escapes, which needs no `String`: `write` writes at most `room` bytes and
    /// returns their number.
    package mutating func ascii(room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        element(room: room &+ 2) { target in
            target[0] = UInt8(ascii: "\"")
            let length = write(UnsafeMutableBufferPointer(start: target + 1, count: room))
            target[length + 1] = UInt8(ascii: "\"")
            return length + 2
        }
    }

    /// Writes the name of a member, a literal that needs no escapes; its value must follow.
    package mutating func key(_ name: StaticString) {
        let comma = needsComma ? 1 : 0
        let count = name.utf8CodeUnitCount
        put(room: count &+ 4) { target in
            target[0] = UInt8(ascii: ",")
            target[comma] = UInt8(ascii: "\"")
            let end = target + comma + 1 + count
            UnsafeMutableRawPointer(target + comma + 1).copyMemory(from: name.utf8Start, byteCount: count)
            end[0] = UInt8(ascii: "\"")
            end[1] = UInt8(ascii: ":")
            return comma &+ count &+ 3
        }
        needsComma = false
    }

    /// Writes the name of a member with the necessary escapes; its value must follow.
    @_disfavoredOverload
    package mutating func key(_ name: String) {
        value(name)
        end(":")
        needsComma = false
    }

    // MARK: Containers

    /// Writes the opening bracket of a container.
    mutating func begin(_ bracket: Unicode.Scalar) {
        element(room: 1) { target in
            target[0] = UInt8(ascii: bracket)
            return 1
        }
        needsComma = false
    }

    /// Writes the closing bracket of a container, or the colon after a name.
    mutating func end(_ punctuation: Unicode.Scalar) {
        put(room: 1) { target in
            target[0] = UInt8(ascii: punctuation)
            return 1
        }
        needsComma = true
    }

    // MARK: The buffer

    // Sums of lengths in memory are far below `Int.max`, so they are added without an overflow check.

    private mutating func literal(_ word: StaticString) {
        element(room: word.utf8CodeUnitCount) { target in
            UnsafeMutableRawPointer(target).copyMemory(from: word.utf8Start, byteCount: word.utf8CodeUnitCount)
            return word.utf8CodeUnitCount
        }
    }

    /// Writes a value of at most `room` bytes, with the comma before it; false, and nothing is written, for nil.
    @discardableResult
    private mutating func element(room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) -> Bool {
        let comma = needsComma ? 1 : 0
        let isWritten = put(room: room &+ 1) { target in
            target[0] = UInt8(ascii: ",")
            guard let length = write(target + comma) else { return nil }
            return comma &+ length
        }
        needsComma = needsComma || isWritten
        return isWritten
    }

    /// Appends the bytes of `write`, at most `room`; false, and nothing is appended, for nil.
    @discardableResult
    private mutating func put(room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) -> Bool {
        if capacity &- count < room { grow(by: room) }
        guard let length = write(buffer + count) else { return false }
        count &+= length
        return true
    }

    /// Replaces the buffer by one of twice the size, or of the size for `room` more bytes if that is larger.
    @inline(never)
    private mutating func grow(by room: Int) {
        capacity = max(2 * capacity, count + room)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.moveInitialize(from: buffer, count: count)
        if ownsBuffer { buffer.deallocate() }
        buffer = larger
        ownsBuffer = true
    }
}

// Members with their values in one call. Nearly every name is a literal, a `StaticString`, which is written unchanged.
// A name from run time is a `String`, and is escaped if necessary.

extension JSONWriter {
    /// Writes a member with a number, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an integer, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with `true` or `false`, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with a string, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an object.
    package mutating func object<Failure>(
        _ name: StaticString,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(body)
    }

    /// Writes a member with an array.
    package mutating func array<Failure>(
        _ name: StaticString,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(body)
    }
}

extension JSONWriter {
    /// Writes a member with an array of numbers.
    package mutating func member(_ name: StaticString, _ values: [Double]) {
        array(name) { json in
            for value in values { json.value(value) }
        }
    }

    /// Writes a member with an array of strings.
    package mutating func member(_ name: StaticString, _ values: [String]) {
        array(name) { json in
            for value in values { json.value(value) }
        }
    }

    /// Writes a member with an array that has an object for each element, with the members that `body` writes.
    package mutating func objects<Element, Failure>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        _ body: (inout JSONWriter, Element) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        begin("[")
        for element in elements {
            begin("{")
            try body(&self, element)
            end("}")
        }
        end("]")
    }
}

// Disfavored, so that a literal is a `StaticString`.
extension JSONWriter {
    /// Writes a member with a number, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: Double?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an integer, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: Int?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with a string, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: String?) {
        key(name)
        self.value(value)
    }
}
