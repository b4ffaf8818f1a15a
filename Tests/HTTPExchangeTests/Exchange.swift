import HTTPExchange
import HTTPTypes
import Primitives
import TestSupport

/// Returns a request with few arguments.
func request(
    _ method: HTTPRequest.Method = .get,
    _ target: String = "/",
    _ fields: Fields = [:],
    content: String = "",
    peer: String? = nil
) -> Request {
    Request(method: method, target: Target(target), fields: fields, content: Array(content.utf8), from: peer)
}

extension Application {
    /// An application with these routes; the test supplies its ids, clock and log.
    init(
        _ routes: [Route],
        _ middleware: [any Middleware] = [],
        log: RecordedLog = RecordedLog(),
        now: @escaping @Sendable () -> Instant = { .now },
        problem: @escaping @Sendable (any Error) -> Problem? = { _ in nil }
    ) throws {
        self.init(
            router: Router(routes: routes),
            middleware: middleware,
            logger: log.logger,
            makeRequestID: { "made-id" },
            now: now,
            problem: problem
        )
    }

    /// The response, immediate or asynchronous.
    func response(to request: Request) async throws -> Response {
        try await respond(to: request).value()
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

    /// The code of the problem in the content; nil for other content.
    var problemCode: String? {
        guard fields[.contentType] == "application/problem+json", let text else { return nil }
        return text.split(separator: "\"").first { $0.hasPrefix("/problems/") }.map { String($0.dropFirst(10)) }
    }
}

/// Returns a handler that responds with a word.
func saying(_ word: String) -> Handler {
    { _, _ in .now(.text(word)) }
}

/// An error that the service does not expect, with a secret in its description.
struct Unforeseen: Error, CustomStringConvertible {
    let description = "the database password is swordfish"
    init() {}
}
