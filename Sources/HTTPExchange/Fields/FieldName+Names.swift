// The known names that the service and its tests use.
extension FieldName {
    package static var accept: FieldName { .known(.accept) }
    package static var acceptEncoding: FieldName { .known(.acceptEncoding) }
    package static var acceptRanges: FieldName { .known(.acceptRanges) }
    package static var accessControlAllowHeaders: FieldName { .known(.accessControlAllowHeaders) }
    package static var accessControlAllowMethods: FieldName { .known(.accessControlAllowMethods) }
    package static var accessControlAllowOrigin: FieldName { .known(.accessControlAllowOrigin) }
    package static var accessControlExposeHeaders: FieldName { .known(.accessControlExposeHeaders) }
    package static var accessControlMaxAge: FieldName { .known(.accessControlMaxAge) }
    package static var accessControlRequestMethod: FieldName { .known(.accessControlRequestMethod) }
    package static var age: FieldName { .known(.age) }
    package static var allow: FieldName { .known(.allow) }
    package static var authorization: FieldName { .known(.authorization) }
    package static var cacheControl: FieldName { .known(.cacheControl) }
    /// RFC 9211.
    package static var cacheStatus: FieldName { .known(.cacheStatus) }
    package static var connection: FieldName { .known(.connection) }
    package static var contentDisposition: FieldName { .known(.contentDisposition) }
    package static var contentEncoding: FieldName { .known(.contentEncoding) }
    package static var contentLanguage: FieldName { .known(.contentLanguage) }
    package static var contentLength: FieldName { .known(.contentLength) }
    package static var contentRange: FieldName { .known(.contentRange) }
    package static var contentSecurityPolicy: FieldName { .known(.contentSecurityPolicy) }
    package static var contentType: FieldName { .known(.contentType) }
    /// Whether other pages may keep a reference to a window of the service (WHATWG HTML, section 7.1.3).
    package static var crossOriginOpenerPolicy: FieldName { .known(.crossOriginOpenerPolicy) }
    package static var crossOriginResourcePolicy: FieldName { .known(.crossOriginResourcePolicy) }
    package static var eTag: FieldName { .known(.eTag) }
    package static var host: FieldName { .known(.host) }
    /// draft-ietf-httpapi-idempotency-key-header.
    package static var idempotencyKey: FieldName { .known(.idempotencyKey) }
    package static var ifMatch: FieldName { .known(.ifMatch) }
    package static var ifNoneMatch: FieldName { .known(.ifNoneMatch) }
    package static var ifRange: FieldName { .known(.ifRange) }
    /// The id of the last event that a client received (WHATWG HTML, section 9.2.4).
    package static var lastEventID: FieldName { .known(.lastEventID) }
    package static var lastModified: FieldName { .known(.lastModified) }
    /// RFC 8288.
    package static var link: FieldName { .known(.link) }
    package static var location: FieldName { .known(.location) }
    package static var origin: FieldName { .known(.origin) }
    /// The device features that a page may use (https://www.w3.org/TR/permissions-policy/).
    package static var permissionsPolicy: FieldName { .known(.permissionsPolicy) }
    package static var range: FieldName { .known(.range) }
    /// The part of the address that other sites get (https://www.w3.org/TR/referrer-policy/).
    package static var referrerPolicy: FieldName { .known(.referrerPolicy) }
    package static var retryAfter: FieldName { .known(.retryAfter) }
    package static var server: FieldName { .known(.server) }
    package static var traceparent: FieldName { .known(.traceparent) }
    package static var tracestate: FieldName { .known(.tracestate) }
    package static var transferEncoding: FieldName { .known(.transferEncoding) }
    package static var vary: FieldName { .known(.vary) }
    package static var via: FieldName { .known(.via) }
    package static var wwwAuthenticate: FieldName { .known(.wwwAuthenticate) }
    package static var xContentTypeOptions: FieldName { .known(.xContentTypeOptions) }
    /// The addresses that proxies forward for, the nearest last.
    package static var xForwardedFor: FieldName { .known(.xForwardedFor) }
    /// Pages and rate limits, as several public APIs name them.
    package static var xPerPage: FieldName { .known(.xPerPage) }
    package static var xRateLimitLimit: FieldName { .known(.xRateLimitLimit) }
    package static var xRateLimitRemaining: FieldName { .known(.xRateLimitRemaining) }
    /// The id of a request in the logs of all services.
    package static var xRequestID: FieldName { .known(.xRequestID) }
    /// The number of items on all pages.
    package static var xTotal: FieldName { .known(.xTotal) }
}
