/// A parsed document as an array of words.
///
/// The format is that of simdjson (https://github.com/simdjson/simdjson/blob/v3.0.1/doc/tape.md) but for the root, which
/// has no end. Each word has a letter in its top byte and a payload of 56 bits below. The value of the document starts
/// at the second word.
///
/// | letter | value | payload |
/// |---|---|---|
/// | `n` `t` `f` | null, true, false | |
/// | `l` `u` `d` | number | none; the next word is it, as `Int64`, `UInt64` or `Double` |
/// | `"` | string | its position in the buffer of strings: length (32 bits), then the bytes |
/// | `[` `{` | start | 24 bits number of elements or members, saturated, 32 bits index of the word behind the end |
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

        /// Allocates the memory for the tape of a document of so many bytes.
        ///
        /// A byte makes at most one word (`[`, or `1` and its comma), beside the root and the two words of a number. A
        /// string has a length of four bytes in place of at least two quotation marks.
        init(for count: Int) {
            let wordBytes = (count + 3) * MemoryLayout<UInt64>.stride
            let stringBytes = 2 * count + MemoryLayout<UInt32>.size
            let memory = UnsafeMutableRawPointer.allocate(byteCount: wordBytes + stringBytes, alignment: 8)
            words = memory.bindMemory(to: UInt64.self, capacity: count + 3)
            strings = (memory + wordBytes).bindMemory(to: UInt8.self, capacity: stringBytes)
            // The root, at which a walk upwards from a container ends.
            words[0] = 0
        }
    }

    /// Frees the memory; the tape is not used any more.
    func deallocate() {
        words.deallocate()
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

    /// What a word of a container gains with an element, unless its number of elements is saturated.
    static func oneElement(of container: UInt64) -> UInt64 {
        Int(truncatingIfNeeded: container &>> 32) & saturated == saturated ? 0 : 1 &<< 32
    }

    private static let saturated = 0xFF_FFFF

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
        let count = Int(truncatingIfNeeded: words[index] &>> 32) & Tape.saturated
        return count == Tape.saturated ? nil : count
    }

    /// The bytes of the string at `index`.
    func text(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = strings + Int(truncatingIfNeeded: words[index] & 0xFF_FFFF_FFFF_FFFF)
        let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return UnsafeBufferPointer(start: start + MemoryLayout<UInt32>.size, count: Int(length))
    }
}

/// A parsed document, and the owner of its tape.
///
/// Every value of the document retains it, so no value outlives its tape.
final class Document: Sendable {
    private let tape: Tape

    /// Parses `bytes`.
    init(parsing bytes: [UInt8]) throws(JSONError) {
        // The indices on a tape have 32 bits.
        guard bytes.count < 1 << 31 else { throw JSONError(pointer: "", detail: "too large", isMalformed: true) }
        let buffer = Tape.Buffer(for: bytes.count)
        // From here on the object is whole, and its end frees the memory, also when it throws.
        tape = Tape(buffer)
        if let fault = Parser.parse(bytes, to: buffer) {
            throw JSONError(pointer: "", detail: fault.detail(in: bytes), isMalformed: true)
        }
        if let second = tape.firstDuplicate {
            throw JSONError(pointer: pointer(to: second), detail: "duplicate member", isMalformed: true)
        }
    }

    deinit {
        tape.deallocate()
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
