package import HTTPTypes

/// A response.
///
/// A 304, and the response to a HEAD, have the content of the representation: the server sends its length and not its
/// bytes. The server writes Content-Length, Transfer-Encoding and Connection.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var fields: Fields
    package var content: Content

    package init(status: HTTPResponse.Status = .ok, fields: Fields = [:], content: Content = .none) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

extension Response {
    /// Creates a response with text in UTF-8.
    package static func text(
        _ text: String,
        type: String = "text/plain; charset=utf-8",
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, fields: [.contentType: type], content: .bytes(Array(text.utf8)))
    }

    /// Creates a response with a JSON document.
    package static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, fields: Fields = [:]) -> Response {
        // Room for the request id, which every response gets, and for two more fields.
        var all = Fields(capacity: fields.count + 4)
        all.append(.contentType, "application/json")
        for field in fields.entries { all.append(field) }
        return Response(status: status, fields: all, content: .bytes(bytes))
    }
}

/// The result of a handler: a response, or the promise of one.
///
/// For a promised response the connection is suspended. The work is cancelled when the client leaves, at the deadline and
/// at the end of a drain.
package typealias Reply = Promised<Response>

/// Decodes a request, calls the domain and encodes the response.
///
/// Errors are converted to problems.
package typealias Handler = @Sendable (Request, Context) throws -> Reply
