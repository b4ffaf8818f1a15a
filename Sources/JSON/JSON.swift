import Glibc

/// Parses JSON (RFC 8259) strictly.
///
/// The whole document is parsed first. The parser refuses malformed syntax, bytes after the end, a byte order mark,
/// invalid UTF-8, escapes of half a surrogate pair, and control characters in strings. It also refuses numbers beyond a
/// double, and integers of more than 64 bits. RFC 8259, section 6, permits such limits; write `1e20` instead. Two
/// documents that the grammar permits are refused, too: with containers deeper than ``maximumDepth``, and with repeated
/// members, of which parsers use different ones.
///
/// Values are then read one by one, and each access throws an error with a pointer.
package enum JSON {
    /// The greatest depth of nested arrays and objects; `[[1]]` has a depth of two.
    package static let maximumDepth = 64

    /// Parses a document.
    ///
    /// The value keeps the parsed document alive and may be stored; the bytes are not needed any more.
    ///
    /// - Throws: A malformed ``JSONError``.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        JSONValue(try Document.parse(bytes), Tape.root)
    }
}

extension Tape {
    /// The first repeated name of an object; nil without one.
    ///
    /// RFC 8259, section 4: "When the names within an object are not unique, the behavior of software that receives such
    /// an object is unpredictable." For example, one reader checks a signature and another uses a different value.
    var firstDuplicate: Int? {
        var position = Tape.root
        let end = end
        while position < end {
            switch letter(position) {
            case Letter.object:
                if let second = duplicate(in: position) { return second }
                position += 1
            case Letter.array, Letter.arrayEnd, Letter.objectEnd: position += 1
            default: position = after(position)
            }
        }
        return nil
    }

    /// Returns the repeated name of the object at `index`, if there is one.
    fileprivate func duplicate(in index: Int) -> Int? {
        switch count(index) {
        case .some(0...1): nil
        case .some(2...16): duplicateByComparison(in: index)
        default: duplicateBySorting(in: index)
        }
    }

    /// Compares every name with those before it, without memory, for few members.
    private func duplicateByComparison(in index: Int) -> Int? {
        for name in members(of: index) {
            var earlier = index &+ 1
            while earlier < name {
                if order(earlier, name) == 0 { return name }
                earlier = after(earlier &+ 1)
            }
        }
        return nil
    }

    /// Sorts the names so that equal ones are adjacent: n log n for any input, where a hash table has a worst case.
    private func duplicateBySorting(in index: Int) -> Int? {
        let names = members(of: index).sorted { first, second in
            let order = order(first, second)
            return order == 0 ? first < second : order < 0
        }
        let duplicates = zip(names, names.dropFirst()).lazy.filter { order($0, $1) == 0 }.map { $1 }
        return duplicates.min()
    }

    /// Compares two strings by length, then by bytes; negative, zero or positive.
    private func order(_ first: Int, _ second: Int) -> Int {
        let (first, second) = (text(first), text(second))
        guard first.count == second.count else { return first.count - second.count }
        guard let left = first.baseAddress, let right = second.baseAddress else { return 0 }
        return Int(memcmp(left, right, first.count))
    }
}

/// A parsed document as an array of words.
///
/// The format is that of simdjson (https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md) except for the root,
/// which has no end. Each word has a letter in its top byte and a payload of 56 bits below. The value of the document
/// starts at the second word.
///
/// | letter | value | payload |
/// |---|---|---|
/// | `n` `t` `f` | null, true, false | |
/// | `l` `u` `d` | number | none; the next word is it, as `Int64`, `UInt64` or `Double` |
/// | `"` | string | its position in the buffer of strings: length (32 bits), then the bytes |
/// | `[` `{` | start | 24 bits number of elements or members, saturated, 32 bits index of the word after the end |
/// | `]` `}` | end | index of the start |
///
/// A member is two elements, its name and its value.
///
/// Only `Document` has a tape, and it owns the memory. Indices are not checked: every index comes from a walk that begins
/// at ``root``.
///
/// `@unchecked Sendable`: the memory is not written once the document is parsed.
struct Tape: @unchecked Sendable {
    /// The index of the document's value.
    static let root = 1

    private let words: UnsafePointer<UInt64>
    private let strings: UnsafePointer<UInt8>

    init(_ buffer: Buffer) {
        words = UnsafePointer(buffer.words)
        strings = UnsafePointer(buffer.strings)
    }

    /// The memory of a tape.
    struct Buffer {
        let words: UnsafeMutablePointer<UInt64>
        let strings: UnsafeMutablePointer<UInt8>
    }

    /// The letters of the format.
    enum Letter {
        static let null = UInt8(ascii: "n")
        static let yes = UInt8(ascii: "t")
        static let no = UInt8(ascii: "f")
        static let integer = UInt8(ascii: "l")
        static let unsigned = UInt8(ascii: "u")
        static let double = UInt8(ascii: "d")
        static let string = UInt8(ascii: "\"")
        static let array = UInt8(ascii: "[")
        static let arrayEnd = UInt8(ascii: "]")
        static let object = UInt8(ascii: "{")
        static let objectEnd = UInt8(ascii: "}")
    }

    /// Returns the number to add to the word of a container for one more element; 0 if its count is saturated.
    static func oneElement(of container: UInt64) -> UInt64 {
        Int(truncatingIfNeeded: container &>> 32) & saturated == saturated ? 0 : 1 &<< 32
    }

    private static let saturated = 0xFF_FFFF

    /// The index after the last word of the document's value.
    var end: Int { after(Tape.root) }

    func letter(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index] &>> 56)
    }

    /// Returns the value of the number at `index`, the word after its letter.
    func number(_ index: Int) -> UInt64 {
        words[index &+ 1]
    }

    /// Returns the index of the element after the one at `index`.
    func after(_ index: Int) -> Int {
        switch letter(index) {
        case Letter.array, Letter.object: Int(UInt32(truncatingIfNeeded: words[index]))
        case Letter.integer, Letter.unsigned, Letter.double: index &+ 2
        default: index &+ 1
        }
    }

    /// Returns the number of elements or members of the container at `index`; nil if there are too many for the tape.
    func count(_ index: Int) -> Int? {
        let count = Int(truncatingIfNeeded: words[index] &>> 32) & Tape.saturated
        return count == Tape.saturated ? nil : count
    }

    /// Returns the bytes of the string at `index`.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = strings + Int(truncatingIfNeeded: words[index] & 0xFF_FFFF_FFFF_FFFF)
        let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return UnsafeBufferPointer(start: start + MemoryLayout<UInt32>.size, count: Int(length))
    }
}

/// A parsed document, and the owner of its tape.
///
/// Every value of the document retains the memory, so no value outlives its tape.
///
/// `@unchecked Sendable`: the memory is not written once the document is parsed.
struct Document: @unchecked Sendable {
    /// The tape: first the words, then the strings; the header is the number of words.
    private let memory: ManagedBuffer<Int, UInt64>

    /// Allocates the memory for the tape of a document of `count` bytes.
    ///
    /// There is at most one word for each byte (`[`, or `1` and its comma), besides the root and the two words of a
    /// number. A string has a length of four bytes instead of its two quotation marks.
    init(for count: Int) {
        let words = count + 3
        let stringBytes = 2 * count + MemoryLayout<UInt32>.size
        memory = .create(minimumCapacity: words + (stringBytes + 7) / MemoryLayout<UInt64>.stride) { _ in words }
    }

    /// Parses `bytes`.
    static func parse(_ bytes: [UInt8]) throws(JSONError) -> Document {
        // The indices on a tape have 32 bits.
        guard bytes.count < 1 << 31 else { throw JSONError(pointer: "", detail: "too large", isMalformed: true) }
        let document = Document(for: bytes.count)
        if let fault = document.withBuffer({ Parser.parse(bytes, to: $0) }) {
            throw JSONError(pointer: "", detail: fault.detail(in: bytes), isMalformed: true)
        }
        if let second = document.withTape(\.firstDuplicate) {
            throw JSONError(pointer: document.pointer(to: second), detail: "is repeated", isMalformed: true)
        }
        return document
    }

    /// Passes the memory of the tape to `body`, which writes the tape.
    func withBuffer<Result>(_ body: (Tape.Buffer) -> Result) -> Result {
        memory.withUnsafeMutablePointers { count, words in
            // A search for outer containers ends at the root.
            words[0] = 0
            return body(Tape.Buffer(words: words, strings: strings(after: words + count.pointee)))
        }
    }

    /// Passes the tape to `body`.
    @inline(__always)
    func withTape<Result>(_ body: (Tape) -> Result) -> Result {
        memory.withUnsafeMutablePointers { count, words in
            body(Tape(Tape.Buffer(words: words, strings: strings(after: words + count.pointee))))
        }
    }

    @inline(__always)
    private func strings(after words: UnsafeMutablePointer<UInt64>) -> UnsafeMutablePointer<UInt8> {
        UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self)
    }
}
