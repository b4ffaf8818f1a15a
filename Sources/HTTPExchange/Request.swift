package import HTTPTypes

/// A request, whole: the server hands it over after the last byte of its content.
package struct Request: Sendable {
    package var method: HTTPRequest.Method
    package var target: Target
    package var fields: Fields
    /// The content (RFC 9110, section 6.4), transfer coding removed; empty when there is none.
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
