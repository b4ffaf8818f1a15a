import HTTPTypes

extension Problem.Kind {
    package static let malformedRequest = Problem.Kind(
        "malformed-request",
        .badRequest,
        "The request is not well-formed HTTP.",
        explanation: """
            The request line or a field breaks a rule of RFC 9110 or 9112 on which the safety of everybody on the same \
            connection rests: two lengths, a length beside a transfer coding, a transfer coding other than `chunked`, a \
            character in the target that RFC 3986 does not allow, a control character, no Host or two. The connection \
            is closed. Such requests come from hand-written clients and from faulty or hostile proxies.
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
            Unknown and repeated parameters are refused so that a typing error is an error and not a silence. Numbers \
            are written as in JSON: digits, a decimal point, an exponent; no comma, no leading plus. `errors` names \
            each parameter.
            """
    )
    package static let invalidParameter = Problem.Kind(
        "invalid-parameter",
        .unprocessableContent,
        "A query parameter has a value that is not allowed.",
        explanation: """
            The query can be read, but a value is out of its range or not one of the values to choose from. `errors` \
            names the parameter and says what is allowed.
            """
    )
    package static let malformedJSON = Problem.Kind(
        "malformed-json",
        .badRequest,
        "The content is not the JSON this service reads.",
        explanation: """
            The content has to be one JSON value in UTF-8 (RFC 8259), with no byte order mark, nothing after its end, \
            no member twice in one object, and no deeper than 64 levels. `errors` says where it goes wrong: by a pointer, \
            or by line, column and byte, counted from 1; columns are characters.
            """
    )
    package static let invalidContent = Problem.Kind(
        "invalid-content",
        .unprocessableContent,
        "The content is well-formed, but not allowed.",
        explanation: """
            A member is missing, unknown, of the wrong type or out of its range. `errors` has a JSON Pointer (RFC 6901) \
            to the place and says what would be right.
            """
    )
    package static let unauthorized = Problem.Kind(
        "unauthorized",
        .unauthorized,
        "A bearer token is needed.",
        explanation: """
            Send `Authorization: Bearer <token>` with one of the tokens that this service was configured with.
            """
    )
    package static let notFound = Problem.Kind(
        "not-found",
        .notFound,
        "There is nothing at this path.",
        explanation: """
            The path is none of this service's. A trailing slash makes another path, and letters are told apart by \
            case. `/openapi.yaml` lists all paths.
            """
    )
    package static let methodNotAllowed = Problem.Kind(
        "method-not-allowed",
        .methodNotAllowed,
        "This path does not have this method.",
        explanation: "The field `Allow` of the answer lists the methods that the path has."
    )
    package static let unacceptable = Problem.Kind(
        "unacceptable",
        .notAcceptable,
        "No media type of this resource is accepted.",
        explanation: """
            The field `Accept` of the request excludes every type that the resource has. Leave it away, or accept one \
            of the types that `detail` names.
            """
    )
    package static let preconditionFailed = Problem.Kind(
        "precondition-failed",
        .preconditionFailed,
        "The resource has changed.",
        explanation: """
            The ETag in `If-Match` is not that of the current state: somebody else wrote in between. Read the resource \
            again, decide again, and send its new ETag.
            """
    )
    package static let contentTooLarge = Problem.Kind(
        "content-too-large",
        .contentTooLarge,
        "The content is too large.",
        explanation: "Send less at once; `detail` has the limit."
    )
    package static let unsupportedMediaType = Problem.Kind(
        "unsupported-media-type",
        .unsupportedMediaType,
        "The content has a media type that is not read here.",
        explanation: "Send JSON in UTF-8 with `Content-Type: application/json`."
    )
    package static let rangeNotSatisfiable = Problem.Kind(
        "range-not-satisfiable",
        .rangeNotSatisfiable,
        "The range lies outside of the content.",
        explanation: "The field `Content-Range` of the answer has the length of the content."
    )
    package static let preconditionRequired = Problem.Kind(
        "precondition-required",
        .preconditionRequired,
        "This needs an If-Match.",
        explanation: """
            Writing without knowing what is overwritten is refused here. Read the resource and send its ETag in \
            `If-Match`.
            """
    )
    package static let tooManyRequests = Problem.Kind(
        "too-many-requests",
        .tooManyRequests,
        "This client asks too often.",
        explanation: """
            The requests of one client address are limited. `Retry-After` has the seconds after which the next one is \
            answered.
            """
    )
    package static let clientShare = Problem.Kind(
        "client-share",
        .tooManyRequests,
        "This client has its share.",
        explanation: """
            One client, by its address, may have only so many bars and open streams at once, so that no client takes \
            all of them. End some that are no longer needed, or try again after `Retry-After` seconds. Who runs the \
            service sets the shares with `SPRINGBAR_MAX_SESSIONS_PER_CLIENT` and `SPRINGBAR_MAX_STREAMS_PER_CLIENT`.
            """
    )
    package static let cancelled = Problem.Kind(
        "cancelled",
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"),
        "The client has left.",
        explanation: """
            The work was given up because nobody waited for it any more. No client ever sees this answer; it stands in \
            the log and in the metrics.
            """
    )
    package static let internalError = Problem.Kind(
        "internal-error",
        .internalServerError,
        "Something went wrong in the service.",
        explanation: "A fault of the service, logged under the request id in `instance`. Report it with that id."
    )
    package static let deadlineExceeded = Problem.Kind(
        "deadline-exceeded",
        .serviceUnavailable,
        "The answer was not ready in time.",
        explanation: "The time for an answer is limited. `Retry-After` has the seconds after which to try again."
    )
    package static let overloaded = Problem.Kind(
        "overloaded",
        .serviceUnavailable,
        "The service has no room for more at once.",
        explanation: """
            Content that is being received, answers that wait to be sent, and work that waits share one memory budget, \
            and it is used up. Nothing was changed. Try again after `Retry-After` seconds.
            """
    )
    package static let draining = Problem.Kind(
        "draining",
        .serviceUnavailable,
        "This instance is going down.",
        explanation: "It finishes what it has begun and takes nothing new. Ask again: another instance answers."
    )

    /// The kinds above: those of every service, by status.
    package static let generic: [Problem.Kind] = [
        .malformedRequest, .malformedPath, .invalidQuery, .malformedJSON, .unauthorized, .notFound, .methodNotAllowed,
        .unacceptable, .preconditionFailed, .contentTooLarge, .unsupportedMediaType, .rangeNotSatisfiable,
        .invalidParameter, .invalidContent, .preconditionRequired, .tooManyRequests, .clientShare, .cancelled,
        .internalError, .deadlineExceeded, .overloaded, .draining,
    ]
}
