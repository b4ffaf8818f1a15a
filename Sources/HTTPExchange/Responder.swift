import Network
import Primitives

/// Produces the responses of a server: an `Application`, or a closure in a test.
package protocol Responder: Sendable {
    /// Responds to a complete request, within the memory that it reserves in `memory`.
    ///
    /// Called on the server's worker threads, must not block.
    func respond(to request: Request, memory: RequestMemory) -> Reply

    /// Produces the response to a request that the server refuses; `request` has no content.
    ///
    /// `memory` is that of the request if the responder has promised a response, and nil before the request is complete.
    func response(to refusal: Refusal, of request: Request, memory: RequestMemory?) -> Response

    /// Returns whether a request is for an operation of the service, such as a health check, which is also served on
    /// connections of the reserve. `request` has no content yet.
    func isOperation(_ request: Request) -> Bool
}

extension Responder {
    /// Responds to a complete request, with memory that is not limited.
    package func respond(to request: Request) -> Reply {
        respond(to: request, memory: request.unlimitedMemory)
    }

    package func isOperation(_ request: Request) -> Bool { false }
}

extension Request {
    /// Memory that is not limited, paid by the client of the request, which rates and shares count for.
    var unlimitedMemory: RequestMemory {
        .unlimited(client: client.flatMap { ClientKey($0) })
    }
}

/// The reason why a server refuses a request.
package enum Refusal: Error, Sendable, Equatable {
    /// Both Content-Length and Transfer-Encoding (RFC 9112, section 6.3: an attempt at request smuggling).
    case lengthAndTransferEncoding
    /// More than one Content-Length, or one that is a list.
    case repeatedLength
    /// A transfer coding other than exactly `chunked`.
    case unknownTransferCoding
    /// A control character in the target, raw or percent-encoded in the path.
    case controlInTarget
    /// A target of no form of RFC 9112, section 3.2, or with a character that RFC 3986 does not allow.
    case malformedTarget
    /// A control character in the value of a field.
    case controlInField(String)
    /// A name that is not a token, such as one with a space before the colon.
    case malformedFieldName
    /// No Host (RFC 9112, section 3.2).
    case missingHost
    /// More than one Host.
    case repeatedHost
    /// A Host, or the host of an absolute target, that is not `host[:port]`.
    case malformedHost
    /// A request line of more than `limit` bytes.
    case targetTooLong(limit: Int)
    /// A head of more than `limit` bytes or `fields` fields.
    case headTooLarge(limit: Int, fields: Int)
    /// The head of the response does not fit into the memory that the request's head leaves.
    case responseHeadTooLarge
    /// More content than `limit` bytes.
    case contentTooLarge(limit: Int)
    /// The content or the response does not fit into the memory budget.
    case overloaded
    /// The connection belongs to the reserve, which serves only the operations of the service.
    case reserved
    /// The response was not ready at the deadline.
    case deadlineExceeded
    /// The server is shutting down.
    case draining
}
