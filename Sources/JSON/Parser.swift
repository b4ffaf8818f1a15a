import CSimdJSON

/// A simdjson parser: the C object whose buffers hold the document that it parsed last.
///
/// `@unchecked Sendable`: one thread at a time uses it, because it belongs to the pool (which nobody parses in) or to
/// the one document that took it out, and a document parses once, in its initialiser. Afterwards the buffers are only
/// read, which any number of threads may do.
struct Parser: @unchecked Sendable {
    private let pointer: OpaquePointer

    init() {
        // Out of memory, as anywhere in Swift, is the end of the process.
        guard let pointer = csimdjson_create(JSON.maximumDepth) else { fatalError("no memory for a JSON parser") }
        self.pointer = pointer
    }

    /// Frees the parser; nobody may use it any more.
    func destroy() {
        csimdjson_destroy(pointer)
    }

    /// The longest document in bytes that the buffers hold without growing.
    var capacity: Int { csimdjson_capacity(pointer) }

    /// Parses a document, whose tape is valid until the next one is parsed.
    func parse(_ bytes: [UInt8]) -> Result<Tape, Fault> {
        var tape = CSimdJSONTape(words: nil, strings: nil)
        let fault = bytes.withUnsafeBytes { csimdjson_parse(pointer, $0.baseAddress, $0.count, &tape) }
        guard fault == .none else { return .failure(Fault(code: fault)) }
        return .success(Tape(tape))
    }

    /// What simdjson did not like.
    struct Fault: Error {
        let code: CSimdJSONFault
    }
}
