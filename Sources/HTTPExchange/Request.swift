package import HTTPTypes

/// A complete request.
package struct Request: Sendable {
    package var method: HTTPRequest.Method
    package var target: Target
    package var fields: Fields
    /// The content without its transfer coding (RFC 9110, section 6.4); empty without any.
    package var content: [UInt8]
    /// The address of the peer without its port, such as `127.0.0.1` or `::1`; nil in process.
    package var peer: String?

    package init(
        method: HTTPRequest.Method,
        target: Target,
        fields: Fields = [:],
        content: [UInt8] = [],
        peer: String? = nil
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.content = content
        self.peer = peer
    }
}
