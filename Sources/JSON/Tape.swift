import CSimdJSON

/// What simdjson made of a document.
///
/// The format is described at https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md
///
/// Every word carries a letter in its top byte and a payload of 56 bits below. The first word and the last are the
/// root; the value of the document starts at the second.
///
/// | letter | value | payload |
/// |---|---|---|
/// | `n` `t` `f` | null, true, false | |
/// | `l` `u` `d` | number | none; the next word is it, as `Int64`, `UInt64` or `Double` |
/// | `"` | string | where it stands in the buffer of strings: length (32 bits), bytes, NUL |
/// | `[` `{` | start | 24 bits number of elements or members, saturated, 32 bits index of the word behind the end |
/// | `]` `}` | end | index of the start |
///
/// A member is two elements, its name and its value.
///
/// The pointers are borrowed. `Document` owns what they point to and is the only one to hold a tape, and every use of
/// an index takes one that a walk from ``root`` has found: nothing here checks it again.
///
/// `@unchecked Sendable`: what it points to is not written while there is a tape for it (see `Parser`).
struct Tape: @unchecked Sendable {
    /// The index of the document's value.
    static let root = 1

    private let words: UnsafePointer<UInt64>
    private let strings: UnsafePointer<UInt8>

    init(_ tape: CSimdJSONTape) {
        words = tape.words
        strings = tape.strings
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

    /// The index behind the last word of the document's value.
    var end: Int { after(Tape.root) }

    func letter(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: words[index] &>> 56)
    }

    /// The word behind a number's letter.
    func number(_ index: Int) -> UInt64 {
        words[index &+ 1]
    }

    /// The index of the element that follows the one at `index`.
    func after(_ index: Int) -> Int {
        switch letter(index) {
        case Letter.array, Letter.object: Int(UInt32(truncatingIfNeeded: words[index]))
        case Letter.integer, Letter.unsigned, Letter.double: index &+ 2
        default: index &+ 1
        }
    }

    /// The number of elements or members of the container at `index`, or nil when there are too many for the tape.
    func count(_ index: Int) -> Int? {
        let saturated = 0xFF_FFFF
        let count = Int(truncatingIfNeeded: words[index] &>> 32) & saturated
        return count == saturated ? nil : count
    }

    /// The bytes of the string at `index`.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = strings + Int(truncatingIfNeeded: words[index] & 0xFF_FFFF_FFFF_FFFF)
        let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return UnsafeBufferPointer(start: start + MemoryLayout<UInt32>.size, count: Int(length))
    }
}

/// A parsed document, and the owner of the parser that holds it.
///
/// Every value of the document retains it, so no value outlives its tape. When the last one is gone, the parser goes
/// back to the pool and its buffers take the next document.
final class Document: Sendable {
    private let parser: Parser
    private let tape: Tape

    /// Parses `bytes`.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        let parser = ParserPool.shared.take()
        switch parser.parse(bytes) {
        case .success(let tape):
            self.parser = parser
            self.tape = tape
        case .failure(let fault):
            ParserPool.shared.give(parser)
            throw JSONError(fault, in: bytes)
        }
        // From here on the object is whole, and its end gives the parser back.
        if let violation = Inspection.firstViolation(in: tape) {
            throw JSONError(pointer: pointer(to: violation.index), detail: violation.detail, isMalformed: true)
        }
    }

    deinit {
        ParserPool.shared.give(parser)
    }

    /// Lends the tape.
    ///
    /// Without the extended lifetime the optimiser may release the document after it has read the tape's pointers,
    /// and before they are used.
    @inline(__always)
    func withTape<Result>(_ body: (Tape) -> Result) -> Result {
        withExtendedLifetime(self) { body(tape) }
    }
}
