package import HTTPTypes

extension Problem.Kind {
    package static let malformedRequest = Problem.Kind(
        "malformed-request",
        .badRequest,
        "The request is not well-formed HTTP.",
        explanation: """
            The request line or a field breaks a rule of RFC 9110 or 9112 that protects other requests on the same \
            connection: two lengths, a length and a transfer coding, a transfer coding other than `chunked`, a character \
            in the target that RFC 3986 does not allow, a control character, no Host or two. The connection is closed. \
            Such requests come from hand-written clients and from faulty or hostile proxies.
            """
    )
    package static let malformedPath = Problem.Kind(
        "malformed-path",
        .badRequest,
        "A segment of the path cannot be decoded.",
        explanation: """
            A path parameter is percent-encoded UTF-8 without control characters, and is neither `.` nor `..`. A \
            percent sign of the value itself is written `%25`.
            """
    )
    package static let invalidQuery = Problem.Kind(
        "invalid-query",
        .badRequest,
        "The query is malformed, or has an unknown, repeated, missing or contradictory parameter.",
        explanation: """
            Unknown and repeated parameters are refused, so that a typing error is not ignored. Numbers \
            are written as in JSON: digits, a decimal point, an exponent; no comma, no leading plus. `errors` names \
            each parameter.
            """
    )
    package static let invalidParameter = Problem.Kind(
        "invalid-parameter",
        .unprocessableContent,
        "A query parameter has a value that is not allowed.",
        explanation: """
            The query is well-formed, but a value is out of its range or not one of the allowed ones. `errors` names the \
            parameter and the rule.
            """
    )
    package static let malformedJSON = Problem.Kind(
        "malformed-json",
        .badRequest,
        "The content is not well-formed JSON.",
        explanation: """
            The content must be one JSON value in UTF-8 (RFC 8259), without a byte order mark, text after its end, \
            repeated members in an object, or more than 64 levels. `errors` has the position of the fault: a pointer, \
            or the line, column and byte, counted from 1; columns are characters.
            """
    )
    package static let invalidContent = Problem.Kind(
        "invalid-content",
        .unprocessableContent,
        "The content is well-formed, but not allowed.",
        explanation: """
            A member is missing, unknown, of the wrong type or out of its range. `errors` has a JSON Pointer (RFC 6901) \
            to the value, and the rule.
            """
    )
    package static let unauthorized = Problem.Kind(
        "unauthorized",
        .unauthorized,
        "A bearer token is required.",
        explanation: "Send `Authorization: Bearer <token>` with one of the configured tokens."
    )
    package static let notFound = Problem.Kind(
        "not-found",
        .notFound,
        "The path does not exist.",
        explanation: """
            The service does not have this path. A trailing slash makes a different path, and paths are case-sensitive. \
            `/openapi.yaml` lists all paths.
            """
    )
    package static let methodNotAllowed = Problem.Kind(
        "method-not-allowed",
        .methodNotAllowed,
        "The path does not have this method.",
        explanation: "The field `Allow` of the response lists the methods of the path."
    )
    package static let unacceptable = Problem.Kind(
        "unacceptable",
        .notAcceptable,
        "No media type of this resource is accepted.",
        explanation: """
            The field `Accept` of the request excludes all types of the resource. Omit it, or accept one of the types \
            that `detail` names.
            """
    )
    package static let preconditionFailed = Problem.Kind(
        "precondition-failed",
        .preconditionFailed,
        "The resource has changed.",
        explanation: """
            The ETag in `If-Match` is not that of the current state: another client has changed the resource. Read it \
            again and send its new ETag. Or `If-None-Match` has the current one.
            """
    )
    package static let contentTooLarge = Problem.Kind(
        "content-too-large",
        .contentTooLarge,
        "The content is too large.",
        explanation: "Send less content; `detail` has the limit."
    )
    package static let targetTooLong = Problem.Kind(
        "target-too-long",
        .uriTooLong,
        "The target is too long.",
        explanation: "The query is longer than any request of this service needs. `detail` has the limit."
    )
    package static let headTooLarge = Problem.Kind(
        "head-too-large",
        .requestHeaderFieldsTooLarge,
        "The head of the request is too large.",
        explanation: """
            The request line and the fields are too long, or there are too many fields; `detail` has the limits. Usual \
            causes are cookies of other services on the same host, and large tokens.
            """
    )
    package static let unsupportedMediaType = Problem.Kind(
        "unsupported-media-type",
        .unsupportedMediaType,
        "The media type of the content is not supported.",
        explanation: "Send JSON in UTF-8 with `Content-Type: application/json`."
    )
    package static let misdirectedRequest = Problem.Kind(
        "misdirected-request",
        .misdirectedRequest,
        "The host is not one of this service.",
        explanation: """
            On an address that only its own machine reaches, the service answers requests for that machine, and for hosts \
            that its settings name. Otherwise a page of another site, whose name leads to this machine, could read the \
            answers. `detail` names the host and the setting that allows it.
            """
    )
    package static let rangeNotSatisfiable = Problem.Kind(
        "range-not-satisfiable",
        .rangeNotSatisfiable,
        "The range is outside of the content.",
        explanation: "The field `Content-Range` of the response has the length of the content."
    )
    package static let preconditionRequired = Problem.Kind(
        "precondition-required",
        .preconditionRequired,
        "The request must have an If-Match.",
        explanation: "Changes are accepted only to a known state. Read the resource and send its ETag in `If-Match`."
    )
    package static let tooManyRequests = Problem.Kind(
        "too-many-requests",
        .tooManyRequests,
        "The client sends too many requests.",
        explanation: "The rate of requests of one client address is limited. Retry after `Retry-After` seconds."
    )
    package static let cancelled = Problem.Kind(
        "cancelled",
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"),
        "The client has disconnected.",
        explanation: """
            The work was cancelled because the client has closed the connection. The response is not sent; it appears in \
            the log and in the metrics.
            """
    )
    package static let internalError = Problem.Kind(
        "internal-error",
        .internalServerError,
        "An unexpected error occurred.",
        explanation: "The error is logged under the request id in `instance`. Report it with that id."
    )
    package static let deadlineExceeded = Problem.Kind(
        "deadline-exceeded",
        .serviceUnavailable,
        "The response was not ready in time.",
        explanation: "The time for a response is limited. Retry after `Retry-After` seconds."
    )
    package static let overloaded = Problem.Kind(
        "overloaded",
        .serviceUnavailable,
        "The service is overloaded.",
        explanation: """
            Content being received, responses waiting to be sent, and waiting work share one memory budget, and it is \
            used up. Nothing was changed. Retry after `Retry-After` seconds.
            """
    )
    package static let draining = Problem.Kind(
        "draining",
        .serviceUnavailable,
        "The instance is shutting down.",
        explanation: "It completes running requests and accepts no new ones. Retry: another instance will respond."
    )

    /// The generic kinds, by status.
    package static let generic: [Problem.Kind] = [
        .malformedRequest, .malformedPath, .invalidQuery, .malformedJSON, .unauthorized, .notFound, .methodNotAllowed,
        .unacceptable, .preconditionFailed, .contentTooLarge, .targetTooLong, .headTooLarge, .unsupportedMediaType,
        .rangeNotSatisfiable, .misdirectedRequest, .invalidParameter, .invalidContent, .preconditionRequired,
        .tooManyRequests, .cancelled,
        .internalError, .deadlineExceeded, .overloaded, .draining,
    ]

    // The kinds of more than one feature, which lists them itself.

    package static let idempotencyKeyReused = Problem.Kind(
        "idempotency-key-reused",
        .unprocessableContent,
        "The Idempotency-Key belongs to a request with other content.",
        explanation: """
            A key belongs to one request for an hour, or longer. A request with the same content gets the same result. For \
            another one use another key.
            """
    )
    package static let storeUnavailable = Problem.Kind(
        "store-unavailable",
        .serviceUnavailable,
        "The store of the replicas is not available.",
        explanation: """
            The replicas of the service share their state in a store, and the store does not answer. Retry after \
            `Retry-After` seconds. A write may have had its effect; with numbered events, an `Idempotency-Key` or \
            `If-Match` a retry is safe.
            """
    )
}

extension Problem {
    /// 404 for an unknown path.
    package static func notFound(_ target: Target) -> Problem {
        Problem(.notFound, "`\(target.path.excerpt)` is not a path of this service.")
    }

    /// 400 for a segment that cannot be decoded.
    static func malformedPath(parameter: String) -> Problem {
        Problem(.malformedPath, "{\(parameter)} is not percent-encoded UTF-8 text without control characters.")
    }

    /// 405 with Allow (RFC 9110, section 15.5.6).
    package static func methodNotAllowed(_ method: HTTPRequest.Method, allow: String) -> Problem {
        let detail = "The path does not have \(method.rawValue[...].excerpt); its methods are \(allow)."
        return Problem(.methodNotAllowed, detail, fields: [.allow: allow])
    }

    /// 500 for an unexpected error, without details.
    package static let internalError = Problem(
        .internalError,
        "The log has details under the request id in `instance`."
    )

    /// The problem of work that was cancelled because its client disconnected.
    static let cancelled = Problem(.cancelled, "The client has closed the connection.")

    /// Converts a refusal of the server to a problem.
    package init(refusal: Refusal) {
        let (kind, detail): (Kind, String) =
            switch refusal {
            case .lengthAndTransferEncoding:
                (.malformedRequest, "Content-Length is not allowed beside Transfer-Encoding.")
            case .repeatedLength: (.malformedRequest, "Content-Length is repeated.")
            case .unknownTransferCoding: (.malformedRequest, "The transfer coding must be `chunked`.")
            case .controlInTarget: (.malformedRequest, "The target has a control character.")
            case .malformedTarget: (.malformedRequest, Problem.malformedTarget)
            case .controlInField: (.malformedRequest, "A field has a control character.")
            case .malformedFieldName: (.malformedRequest, "The name of a field is not a token.")
            case .missingHost: (.malformedRequest, "Host is missing.")
            case .repeatedHost: (.malformedRequest, "Host is repeated.")
            case .malformedHost: (.malformedRequest, "The host of the request must be `host` or `host:port`.")
            case .targetTooLong(let limit): (.targetTooLong, "The request line must have at most \(limit) bytes.")
            case .headTooLarge(let limit, let fields):
                (.headTooLarge, "The head of the request must have at most \(limit) bytes and \(fields) fields.")
            case .responseHeadTooLarge:
                (.headTooLarge, "The fields of the response need more room than the request leaves: send fewer fields.")
            case .contentTooLarge(let limit): (.contentTooLarge, "The content must have at most \(limit) bytes.")
            case .overloaded: (.overloaded, "The memory for requests in flight is used up.")
            case .reserved: (.overloaded, "All connections are in use; the reserve is for health checks.")
            case .deadlineExceeded: (.deadlineExceeded, "The response was cancelled at its deadline.")
            case .draining: (.draining, "No new requests are accepted.")
            }
        self.init(kind, detail, retryAfter: kind.status == .serviceUnavailable ? .seconds(1) : nil)
        if case .controlInField(let name) = refusal { errors = [Fault(.field(name), "not allowed")] }
        if case .contentTooLarge(let limit) = refusal { members = ["limit": limit] }
    }

    private static let malformedTarget =
        "The target is not a path with an optional query, or has a character that must be percent-encoded."
}
