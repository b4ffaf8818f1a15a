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
    /// With `replacesHalfPairs`, half of a surrogate pair is read as U+FFFD, as by most parsers: RFC 8259, section 8.2,
    /// leaves it open. Texts cut by other programs have such halves.
    ///
    /// - Throws: A malformed ``JSONError``.
    package static func parse(_ bytes: [UInt8], replacesHalfPairs: Bool = false) throws(JSONError) -> JSONValue {
        // The numbers on a tape have 28 bits.
        guard bytes.count < 1 << 28 else { throw JSONError(pointer: "", detail: "too large", isMalformed: true) }
        let document = Document(bytes)
        let (fault, duplicate) = document.withTape {
            Parser.parse($0, count: bytes.count, replacesHalfPairs: replacesHalfPairs)
        }
        if let fault { throw JSONError(pointer: "", detail: fault.detail(in: bytes), isMalformed: true) }
        if let duplicate {
            throw JSONError(JSONValue(document, duplicate), detail: "is repeated", isMalformed: true)
        }
        return JSONValue(document, Tape.root)
    }
}

/// A parsed document as an array of words, and its text.
///
/// The format is similar to that of simdjson (https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md). Each word has
/// a letter in its top byte and two numbers of 28 bits below. The value of the document starts at the second word.
///
/// | letter | value | numbers |
/// |---|---|---|
/// | `n` `t` `f` | null, true, false | |
/// | `l` `u` `d` | number | none; the next word is it, as `Int64`, `UInt64` or `Double` |
/// | `"` | string | the number of its bytes, and their position in the text |
/// | `[` `{` | start | the number of elements or members, and the index of the word after the end |
/// | `]` `}` | end | |
///
/// A member is two elements, its name and its value. The text is that of the document, in which strings are decoded in
/// place.
///
/// Only `Document` has a tape, and it owns the memory. Indices are not checked: every index comes from a walk that begins
/// at ``root``.
struct Tape {
    /// The index of the document's value.
    static let root = 1

    let words: UnsafeMutablePointer<UInt64>
    let text: UnsafeMutablePointer<UInt8>

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

    /// Returns a word with a letter and its two numbers.
    static func word(_ letter: UInt8, _ first: Int, _ second: Int) -> UInt64 {
        UInt64(letter) &<< 56 | UInt64(truncatingIfNeeded: first) &<< 28 | UInt64(truncatingIfNeeded: second)
    }

    func letter(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[index] &>> 56) }

    /// The number of elements or members of a container, or of the bytes of a string.
    func count(_ index: Int) -> Int { Int(truncatingIfNeeded: words[index] &>> 28) & 0xFFF_FFFF }

    /// The index of the word after a container, or the position of a string.
    func position(_ index: Int) -> Int { Int(truncatingIfNeeded: words[index]) & 0xFFF_FFFF }

    /// Returns the value of the number at `index`, the word after its letter.
    func number(_ index: Int) -> UInt64 { words[index &+ 1] }

    /// Returns the index of the element after the one at `index`.
    func after(_ index: Int) -> Int {
        switch letter(index) {
        case Letter.array, Letter.object: position(index)
        case Letter.integer, Letter.unsigned, Letter.double: index &+ 2
        default: index &+ 1
        }
    }

    /// Returns the bytes of the string at `index`.
    func string(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text + position(index), count: count(index))
    }

    /// Whether the string at `index` has these bytes.
    func isText(_ wanted: StaticString, at index: Int) -> Bool {
        count(index) == wanted.utf8CodeUnitCount
            && memcmp(text + position(index), wanted.utf8Start, wanted.utf8CodeUnitCount) == 0
    }

    /// Returns the number at `index` as a double; nil for another type.
    func double(_ index: Int) -> Double? {
        switch letter(index) {
        case Letter.double: Double(bitPattern: number(index)) + 0.0  // -0.0 + 0.0 is 0.0
        case Letter.integer: Double(Int64(bitPattern: number(index)))
        case Letter.unsigned: Double(number(index))
        default: nil
        }
    }

    /// The indices of the elements of an array, or of the names of the members of an object.
    func children(of index: Int) -> Children {
        Children(tape: self, position: index &+ 1, isObject: letter(index) == Letter.object)
    }

    /// An iterator over the children of a container.
    struct Children: Sequence, IteratorProtocol {
        fileprivate let tape: Tape
        fileprivate var position: Int
        fileprivate let isObject: Bool

        mutating func next() -> Int? {
            let letter = tape.letter(position)
            if letter == Letter.arrayEnd || letter == Letter.objectEnd { return nil }
            defer { position = tape.after(isObject ? position &+ 1 : position) }
            return position
        }
    }
}

extension Tape {
    /// Returns the first repeated name of the object at `index`, which has members; nil without one.
    ///
    /// RFC 8259, section 4: "When the names within an object are not unique, the behavior of software that receives such
    /// an object is unpredictable." For example, one reader checks a signature and another uses a different value.
    func duplicate(in index: Int) -> Int? {
        // Few names are compared with those before them, without memory. More are sorted so that equal ones are
        // adjacent: n log n for any input, where a hash table has a worst case.
        guard count(index) > 16 else {
            var name = after(index &+ 2)
            while letter(name) == Letter.string {
                var earlier = index &+ 1
                while earlier < name {
                    if order(earlier, name) == 0 { return name }
                    earlier = after(earlier &+ 1)
                }
                name = after(name &+ 1)
            }
            return nil
        }
        let names = children(of: index).sorted { first, second in
            let order = order(first, second)
            return order == 0 ? first < second : order < 0
        }
        return zip(names, names.dropFirst()).lazy.filter { order($0, $1) == 0 }.map { $1 }.min()
    }

    /// Compares two strings by length, then by bytes; negative, zero or positive.
    private func order(_ first: Int, _ second: Int) -> Int {
        let length = count(first)
        guard length == count(second) else { return length - count(second) }
        return Int(memcmp(text + position(first), text + position(second), length))
    }
}

/// A parsed document, and the owner of its tape.
///
/// Every value of the document retains the memory, so no value outlives its tape.
///
/// `@unchecked Sendable`: the memory is not written once the document is parsed.
struct Document: @unchecked Sendable {
    /// The tape: first the words, then the text; the header is the number of words.
    private let memory: ManagedBuffer<Int, UInt64>

    /// Allocates the tape of a document, and copies its bytes to the text.
    ///
    /// There is at most one word for each byte (`[`, or `1` and its comma), besides the root and the two words of a
    /// number. After the text is a zero, at which every loop of the parser ends, and room for reading eight bytes at once.
    init(_ bytes: [UInt8]) {
        let words = bytes.count + 3
        memory = .create(minimumCapacity: words + bytes.count / 8 + 2) { _ in words }
        withTape { tape in
            // A search for outer containers ends at the root.
            tape.words[0] = 0
            bytes.withUnsafeBufferPointer { bytes in
                if let start = bytes.baseAddress { tape.text.update(from: start, count: bytes.count) }
            }
            tape.text[bytes.count] = 0
        }
    }

    /// Passes the tape to `body`.
    func withTape<Result>(_ body: (Tape) -> Result) -> Result {
        memory.withUnsafeMutablePointers { count, words in
            let text = UnsafeMutableRawPointer(words + count.pointee).assumingMemoryBound(to: UInt8.self)
            return body(Tape(words: words, text: text))
        }
    }

    /// The pointer to the element at `target`; for a member's name, the pointer to the member.
    ///
    /// Values have no path. When an error needs it, a walk from the root enters, at each level, the container that
    /// includes the target.
    func pointer(to target: Int) -> String {
        withTape { tape in
            var pointer = ""
            var position = Tape.root
            while position < target {
                let isObject = tape.letter(position) == Tape.Letter.object
                let children = tape.children(of: position).enumerated()
                guard let (number, child) = children.first(where: { target < tape.after(isObject ? $1 + 1 : $1) })
                else {
                    break
                }
                let name = isObject ? String(decoding: tape.string(child), as: UTF8.self) : String(number)
                pointer += name.pointerPart
                position = isObject ? child + 1 : child
            }
            return pointer
        }
    }
}
