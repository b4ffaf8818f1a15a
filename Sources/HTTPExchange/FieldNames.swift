package import HTTPTypes

// Names that swift-http-types does not have. Each literal is a token (RFC 9110, section 5.1), which is all that the
// initialiser asks, so none of these can be nil.
extension HTTPField.Name {
    /// Names a request in the logs of everybody it passes.
    package static let xRequestID = HTTPField.Name("X-Request-Id")!
    /// Who a proxy says it forwards for, the nearest last.
    package static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    /// RFC 8288.
    package static let link = HTTPField.Name("Link")!
    /// RFC 9211.
    package static let cacheStatus = HTTPField.Name("Cache-Status")!
    /// draft-ietf-httpapi-idempotency-key-header.
    package static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    /// The id of the last event that a client saw (WHATWG HTML, section 9.2.4).
    package static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
