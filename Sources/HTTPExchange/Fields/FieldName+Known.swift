extension FieldName {
    /// The names that clients send, and those that this service writes.
    @usableFromInline
    package enum Known: Sendable, CaseIterable {
        case
            accept, acceptCharset, acceptEncoding, acceptLanguage, acceptRanges, accessControlAllowHeaders,
            accessControlAllowMethods, accessControlAllowOrigin, accessControlExposeHeaders, accessControlMaxAge,
            accessControlRequestHeaders, accessControlRequestMethod, age, allow, authorization, cacheControl,
            cacheStatus, connection, contentDisposition, contentEncoding, contentLanguage, contentLength,
            contentRange, contentSecurityPolicy, contentType, cookie, crossOriginOpenerPolicy,
            crossOriginResourcePolicy, dnt, eTag, expect, forwarded, host, idempotencyKey, ifMatch, ifModifiedSince,
            ifNoneMatch, ifRange, ifUnmodifiedSince, keepAlive, lastEventID, lastModified, link, location, origin,
            permissionsPolicy, pragma, priority, range, referer, referrerPolicy, retryAfter, secCHUA, secCHUAMobile,
            secCHUAPlatform, secFetchDest, secFetchMode, secFetchSite, secFetchUser, secGPC, server, te, traceparent,
            tracestate, transferEncoding, upgrade, upgradeInsecureRequests, userAgent, vary, via, wwwAuthenticate,
            xContentTypeOptions, xForwardedFor, xForwardedHost, xForwardedProto, xPerPage, xRateLimitLimit,
            xRateLimitRemaining, xRealIP, xRequestID, xRequestedWith, xTotal

        /// As it is usually written.
        var spelling: StaticString {
            switch self {
            case .accept: "Accept"
            case .acceptCharset: "Accept-Charset"
            case .acceptEncoding: "Accept-Encoding"
            case .acceptLanguage: "Accept-Language"
            case .acceptRanges: "Accept-Ranges"
            case .accessControlAllowHeaders: "Access-Control-Allow-Headers"
            case .accessControlAllowMethods: "Access-Control-Allow-Methods"
            case .accessControlAllowOrigin: "Access-Control-Allow-Origin"
            case .accessControlExposeHeaders: "Access-Control-Expose-Headers"
            case .accessControlMaxAge: "Access-Control-Max-Age"
            case .accessControlRequestHeaders: "Access-Control-Request-Headers"
            case .accessControlRequestMethod: "Access-Control-Request-Method"
            case .age: "Age"
            case .allow: "Allow"
            case .authorization: "Authorization"
            case .cacheControl: "Cache-Control"
            case .cacheStatus: "Cache-Status"
            case .connection: "Connection"
            case .contentDisposition: "Content-Disposition"
            case .contentEncoding: "Content-Encoding"
            case .contentLanguage: "Content-Language"
            case .contentLength: "Content-Length"
            case .contentRange: "Content-Range"
            case .contentSecurityPolicy: "Content-Security-Policy"
            case .contentType: "Content-Type"
            case .cookie: "Cookie"
            case .crossOriginOpenerPolicy: "Cross-Origin-Opener-Policy"
            case .crossOriginResourcePolicy: "Cross-Origin-Resource-Policy"
            case .dnt: "DNT"
            case .eTag: "ETag"
            case .expect: "Expect"
            case .forwarded: "Forwarded"
            case .host: "Host"
            case .idempotencyKey: "Idempotency-Key"
            case .ifMatch: "If-Match"
            case .ifModifiedSince: "If-Modified-Since"
            case .ifNoneMatch: "If-None-Match"
            case .ifRange: "If-Range"
            case .ifUnmodifiedSince: "If-Unmodified-Since"
            case .keepAlive: "Keep-Alive"
            case .lastEventID: "Last-Event-ID"
            case .lastModified: "Last-Modified"
            case .link: "Link"
            case .location: "Location"
            case .origin: "Origin"
            case .permissionsPolicy: "Permissions-Policy"
            case .pragma: "Pragma"
            case .priority: "Priority"
            case .range: "Range"
            case .referer: "Referer"
            case .referrerPolicy: "Referrer-Policy"
            case .retryAfter: "Retry-After"
            case .secCHUA: "Sec-CH-UA"
            case .secCHUAMobile: "Sec-CH-UA-Mobile"
            case .secCHUAPlatform: "Sec-CH-UA-Platform"
            case .secFetchDest: "Sec-Fetch-Dest"
            case .secFetchMode: "Sec-Fetch-Mode"
            case .secFetchSite: "Sec-Fetch-Site"
            case .secFetchUser: "Sec-Fetch-User"
            case .secGPC: "Sec-GPC"
            case .server: "Server"
            case .te: "TE"
            case .traceparent: "Traceparent"
            case .tracestate: "Tracestate"
            case .transferEncoding: "Transfer-Encoding"
            case .upgrade: "Upgrade"
            case .upgradeInsecureRequests: "Upgrade-Insecure-Requests"
            case .userAgent: "User-Agent"
            case .vary: "Vary"
            case .via: "Via"
            case .wwwAuthenticate: "WWW-Authenticate"
            case .xContentTypeOptions: "X-Content-Type-Options"
            case .xForwardedFor: "X-Forwarded-For"
            case .xForwardedHost: "X-Forwarded-Host"
            case .xForwardedProto: "X-Forwarded-Proto"
            case .xPerPage: "X-Per-Page"
            case .xRateLimitLimit: "X-Ratelimit-Limit"
            case .xRateLimitRemaining: "X-Ratelimit-Remaining"
            case .xRealIP: "X-Real-IP"
            case .xRequestID: "X-Request-Id"
            case .xRequestedWith: "X-Requested-With"
            case .xTotal: "X-Total"
            }
        }
    }
}

extension FieldName.Known {
    /// The known name that the bytes spell, in any case: looked for among those of the same length.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count < Self.byLength.count else { return nil }
        for known in Self.byLength[bytes.count] where known.isSpelled(by: bytes) {
            self = known
            return
        }
        return nil
    }

    private static let byLength: [[Self]] = {
        let longest = allCases.map(\.spelling.utf8CodeUnitCount).max() ?? 0
        return (0...longest).map { length in allCases.filter { $0.spelling.utf8CodeUnitCount == length } }
    }()

    /// Whether so many bytes as the name has spell it, letters in any case.
    private func isSpelled(by bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let usual = spelling.utf8Start
        for index in bytes.indices where bytes[index] != usual[index] {
            // Bit 5 is the case of a letter. In other bytes it is more than that: `\r` (0x0D) is not `-` (0x2D).
            let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= usual[index] | 0x20
            guard isLetter, bytes[index] ^ usual[index] == 0x20 else { return false }
        }
        return true
    }
}
