package import HTTPTypes

/// An answer.
///
/// A 304, and the answer to a HEAD, keep the content of the representation: the server sends its length, not its
/// bytes. Neither Content-Length nor Transfer-Encoding nor Connection is a field of ours: the server writes them.
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
    /// Text in UTF-8, of the given media type.
    package static func text(
        _ text: String,
        type: String = "text/plain; charset=utf-8",
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, fields: [.contentType: type], content: .bytes(Array(text.utf8)))
    }

    /// The bytes of a JSON document, with its type before the other fields.
    package static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, fields: Fields = [:]) -> Response {
        // Room for the name of the request, which every answer gets, and for two of those whose answer it is.
        var all = Fields(capacity: fields.count + 4)
        all.append(.contentType, "application/json")
        for field in fields.entries { all.append(field) }
        return Response(status: status, fields: all, content: .bytes(bytes))
    }
}
