import HTTPTypes

/// Permits pages of other origins to read responses (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Credentials are not used: a page sets the token in Authorization itself, so `*` is as safe as a list. For an origin
/// that is not allowed, the response has no CORS fields, and the browser does not let the page read it.
package struct CrossOrigin: Middleware {
    private let origins: [String]
    private let isForAny: Bool

    /// Permits origins as browsers write them, such as `https://example.com` and `http://localhost:3000`; `*` is any.
    package init(origins: [String]) {
        self.origins = origins
        isForAny = origins.contains("*")
    }

    package func incoming(_ request: Request, _ context: inout Context) -> Response? {
        // A preflight is an OPTIONS with both fields, for an existing path; the router answers others.
        guard request.method == .options, case .options(let allow) = context.match.outcome,
            allowed(request) != nil, request.fields[.accessControlRequestMethod] != nil
        else { return nil }
        return Response(
            status: .noContent,
            fields: [
                .allow: allow,
                .accessControlAllowMethods: allow,
                .accessControlAllowHeaders: CrossOrigin.requestFields,
                // A day; browsers cap it at two hours or less.
                .accessControlMaxAge: "86400",
            ]
        )
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        // Also without an Origin: a cache must not use this response for a request with one.
        if !isForAny { response.vary(by: .origin) }
        guard let allowed = allowed(request) else { return }
        response.fields[.accessControlAllowOrigin] = allowed
        response.fields[.accessControlExposeHeaders] = CrossOrigin.responseFields
    }

    /// The value of Access-Control-Allow-Origin; nil for no origin or one that is not allowed.
    private func allowed(_ request: Request) -> String? {
        guard let origin = request.fields[.origin] else { return nil }
        return isForAny ? "*" : origins.contains(origin) ? origin : nil
    }

    /// Request fields that a page may set besides those that are always allowed.
    private static let requestFields = [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "If-Range", "Range", "Idempotency-Key",
        "Last-Event-ID", "X-Request-Id", "traceparent", "tracestate",
        // Fields that libraries add by themselves: clients of APIs with versions; event sources that use fetch; tracing in
        // browsers (Sentry, OpenTelemetry); jQuery and others.
        "Accept-Version", "Cache-Control", "sentry-trace", "baggage", "X-Requested-With",
    ].joined(separator: ", ")

    /// Response fields that a page may read besides those that are always exposed; clients of lists read those of the last line.
    private static let responseFields = [
        "ETag", "Location", "Link", "Retry-After", "Cache-Status", "X-Request-Id",
        "X-Total", "X-Per-Page", "X-Ratelimit-Limit", "X-Ratelimit-Remaining",
    ].joined(separator: ", ")
}
