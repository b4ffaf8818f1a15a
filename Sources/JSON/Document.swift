import CSimdJSON

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
