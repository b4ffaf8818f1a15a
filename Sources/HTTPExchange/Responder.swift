/// What a server asks for its answers: an `Application`, or a closure in a test.
package protocol Responder: Sendable {
    /// Answers a whole request. Called on the server's own threads; must not block.
    func respond(to request: Request) -> Reply

    /// Words the answer to a request that the server refuses by itself; `request` has no content.
    func answer(to refusal: Refusal, of request: Request) -> Response

    /// Whether a request is for an operation of the service, such as a health check: these are answered on the
    /// connections that are kept in reserve. `request` has no content yet.
    func isOperation(_ request: Request) -> Bool
}

extension Responder {
    package func isOperation(_ request: Request) -> Bool { false }
}

/// Why a server refuses a request before, or instead of, asking for an answer.
package enum Refusal: Error, Sendable, Equatable {
    /// Content-Length beside Transfer-Encoding (RFC 9112, section 6.3: an attempt at request smuggling).
    case lengthAndTransferEncoding
    /// More than one Content-Length, or one that is a list.
    case repeatedLength
    /// A transfer coding other than exactly `chunked`.
    case unknownTransferCoding
    /// A control character in the target, raw or percent-encoded in the path.
    case controlInTarget
    /// A target that is no form of RFC 9112, section 3.2, or has a character that RFC 3986 does not allow there.
    case malformedTarget
    /// A control character in the value of a field.
    case controlInField(String)
    /// A name that is not a token, such as one with a space before the colon.
    case malformedFieldName
    /// No Host at all, two of them, or one that is not `host[:port]` (RFC 9112, section 3.2); the host of an absolute
    /// target included.
    case missingHost
    case repeatedHost
    case malformedHost
    /// More content than `limit` bytes.
    case contentTooLarge(limit: Int)
    /// The content, or the answer, does not fit into the memory budget.
    case overloaded
    /// All connections are taken, and this one of the reserve is for the operations of the service alone.
    case reserved
    /// The answer took longer than the deadline.
    case deadlineExceeded
    /// The server is going down.
    case draining
}
