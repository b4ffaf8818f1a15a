/// The name of a field, equal in any case (RFC 9110, section 5.1).
///
/// These are the names that the service reads or writes. A server checks fields of other names and does not store them.
package enum FieldName: String, Sendable, CaseIterable {
    case accept = "Accept"
    case acceptEncoding = "Accept-Encoding"
    case acceptRanges = "Accept-Ranges"
    case accessControlAllowHeaders = "Access-Control-Allow-Headers"
    case accessControlAllowMethods = "Access-Control-Allow-Methods"
    case accessControlAllowOrigin = "Access-Control-Allow-Origin"
    case accessControlExposeHeaders = "Access-Control-Expose-Headers"
    case accessControlMaxAge = "Access-Control-Max-Age"
    case accessControlRequestMethod = "Access-Control-Request-Method"
    case age = "Age"
    case allow = "Allow"
    case authorization = "Authorization"
    case cacheControl = "Cache-Control"
    /// RFC 9211.
    case cacheStatus = "Cache-Status"
    case connection = "Connection"
    case contentDisposition = "Content-Disposition"
    case contentEncoding = "Content-Encoding"
    case contentLanguage = "Content-Language"
    case contentLength = "Content-Length"
    case contentRange = "Content-Range"
    case contentSecurityPolicy = "Content-Security-Policy"
    case contentType = "Content-Type"
    /// Whether other pages may keep a reference to a window of the service (WHATWG HTML, section 7.1.3).
    case crossOriginOpenerPolicy = "Cross-Origin-Opener-Policy"
    case crossOriginResourcePolicy = "Cross-Origin-Resource-Policy"
    case eTag = "ETag"
    case host = "Host"
    /// draft-ietf-httpapi-idempotency-key-header.
    case idempotencyKey = "Idempotency-Key"
    case ifMatch = "If-Match"
    case ifNoneMatch = "If-None-Match"
    case ifRange = "If-Range"
    /// The id of the last event that a client received (WHATWG HTML, section 9.2.4).
    case lastEventID = "Last-Event-ID"
    /// RFC 8288.
    case link = "Link"
    case location = "Location"
    case origin = "Origin"
    /// The device features that a page may use (https://www.w3.org/TR/permissions-policy/).
    case permissionsPolicy = "Permissions-Policy"
    case range = "Range"
    case referer = "Referer"
    /// The part of the address that other sites get (https://www.w3.org/TR/referrer-policy/).
    case referrerPolicy = "Referrer-Policy"
    case retryAfter = "Retry-After"
    /// Whether a page of the same site caused the request (https://www.w3.org/TR/fetch-metadata/).
    case secFetchSite = "Sec-Fetch-Site"
    case server = "Server"
    case traceparent = "Traceparent"
    case tracestate = "Tracestate"
    case transferEncoding = "Transfer-Encoding"
    case vary = "Vary"
    case wwwAuthenticate = "WWW-Authenticate"
    /// `no` has nginx send a response as it arrives (ngx_http_proxy_module, `proxy_buffering`).
    case xAccelBuffering = "X-Accel-Buffering"
    case xContentTypeOptions = "X-Content-Type-Options"
    /// The addresses that proxies forward for, the nearest last.
    case xForwardedFor = "X-Forwarded-For"
    /// The host and the scheme of the request that a proxy received.
    case xForwardedHost = "X-Forwarded-Host"
    case xForwardedProto = "X-Forwarded-Proto"
    case xPerPage = "X-Per-Page"
    case xRateLimitLimit = "X-Ratelimit-Limit"
    case xRateLimitRemaining = "X-Ratelimit-Remaining"
    /// The id of a request in the logs of all services.
    case xRequestID = "X-Request-Id"
    /// The number of items on all pages.
    case xTotal = "X-Total"
}

extension FieldName {
    /// Finds the name with this text, in any case; nil if there is none.
    package init?(_ text: String) {
        var text = text
        guard let name = text.withUTF8(FieldName.init(bytes:)) else { return nil }
        self = name
    }

    /// Finds the name with these bytes, in any case, among those of the same length.
    package init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count < Self.byLength.count else { return nil }
        for entry in Self.byLength[bytes.count] where Self.isEqual(bytes, entry.text) {
            self = entry.name
            return
        }
        return nil
    }

    /// The names by the length of their text.
    private static let byLength: [[(text: [UInt8], name: Self)]] = {
        let entries = allCases.map { (text: Array($0.rawValue.utf8), name: $0) }
        let longest = entries.map(\.text.count).max() ?? 0
        return (0...longest).map { length in entries.filter { $0.text.count == length } }
    }()

    /// Compares bytes with a text of the same length, letters in any case.
    private static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: [UInt8]) -> Bool {
        for index in text.indices where bytes[index] != text[index] {
            // Bit 5 is the case of a letter. In other bytes it has another meaning: `\r` (0x0D) is not `-` (0x2D).
            let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[index] | 0x20
            guard isLetter, bytes[index] ^ text[index] == 0x20 else { return false }
        }
        return true
    }

    /// Returns whether bytes are a token, as the name of a field has to be (RFC 9110, section 5.6.2).
    package static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(FieldScanner.isTokenByte)
    }

    /// Whether the field frames a message: it is the server's, so applications neither get nor set it.
    package var isFraming: Bool {
        switch self {
        case .connection, .contentLength, .transferEncoding: true
        default: false
        }
    }
}

extension FieldName: Equatable {
    /// Compares the cases; the default compares their raw values, which are texts.
    package static func == (left: FieldName, right: FieldName) -> Bool {
        // An enumeration of at most 256 cases without payloads has one byte.
        unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
    }
}
