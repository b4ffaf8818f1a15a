import CSimdJSON
import Synchronization

/// Idle parsers, so that a request does not pay for their buffers.
///
/// There are as many parsers as documents alive at once, and no more than ``maximumIdle`` wait for the next one. A
/// parser that has grown over ``maximumCapacity`` is freed: one large document must not keep its memory for ever.
final class ParserPool: Sendable {
    static let shared = ParserPool()

    /// Parsers kept while nobody uses them: the threads of a usual machine, each with one document.
    static let maximumIdle = 16

    /// The longest document in bytes whose buffers are kept.
    ///
    /// A batch of 500 events is half of it. The buffers take some 16 times as much, so the pool is bounded by 16 MiB.
    static let maximumCapacity = 65_536

    private let idle = Mutex<[Parser]>([])

    /// The number of parsers that wait.
    var count: Int { idle.withLock { $0.count } }

    /// A parser for one document.
    func take() -> Parser {
        idle.withLock { $0.popLast() } ?? Parser()
    }

    /// Takes a parser back; its document is gone.
    func give(_ parser: Parser) {
        let isWelcome = parser.capacity <= ParserPool.maximumCapacity
        let isKept =
            isWelcome
            && idle.withLock { idle in
                guard idle.count < ParserPool.maximumIdle else { return false }
                idle.append(parser)
                return true
            }
        if !isKept { parser.destroy() }
    }

    deinit {
        idle.withLock { $0 }.forEach { $0.destroy() }
    }
}

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
