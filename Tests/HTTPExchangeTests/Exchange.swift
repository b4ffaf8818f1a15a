import HTTPExchange
import HTTPTypes
import Primitives

/// A request in few words.
func request(
    _ method: HTTPRequest.Method = .get,
    _ target: String = "/",
    _ fields: Fields = [:],
    content: String = "",
    peer: String? = nil
) -> Request {
    Request(method: method, target: Target(target), fields: fields, content: Array(content.utf8), peer: peer)
}

extension Application {
    /// An application of these routes whose ids, clock and log belong to the test.
    init(
        _ routes: [Route],
        _ middleware: [any Middleware] = [],
        log: RecordedLog = RecordedLog(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        problem: @escaping @Sendable (any Error) -> Problem? = { _ in nil }
    ) throws {
        self.init(
            router: try Router(routes: routes),
            middleware: middleware,
            logger: log.logger,
            makeRequestID: { "made-id" },
            now: now,
            problem: problem
        )
    }

    /// The response, whether it comes at once or later.
    func response(to request: Request) async throws -> Response {
        switch respond(to: request) {
        case .now(let response): response
        case .later(let work): try await work()
        }
    }
}

extension Response {
    /// The content as text; nil for a stream.
    var text: String? {
        switch content {
        case .none: ""
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .shared(let bytes, let range): String(decoding: bytes.buffer[range], as: UTF8.self)
        case .stream: nil
        }
    }

    /// The code of the problem in the content; nil when it is none.
    var problemCode: String? {
        guard fields[.contentType] == "application/problem+json", let text else { return nil }
        return text.split(separator: "\"").first { $0.hasPrefix("/problems/") }.map { String($0.dropFirst(10)) }
    }
}

/// A handler that answers with a word.
func saying(_ word: String) -> Handler {
    { _, _ in .now(.text(word)) }
}

/// A type whose failure the service did not foresee, with a secret in its words.
struct Unforeseen: Error, CustomStringConvertible {
    let description = "the database password is swordfish"
    init() {}
}
