package import HTTPExchange
import HTTPTypes

extension Problem.Kind {
    package static let upstreamRateLimited = Problem.Kind(
        "upstream-rate-limited",
        .serviceUnavailable,
        "The photo library's hourly limit is exhausted.",
        explanation: """
            The library allows a number of calls an hour, and this service stays within it. Cached answers are still \
            served, marked as stale. `Retry-After` has the seconds until the next attempt makes sense. (429 means that \
            *this* client sends too many requests.)
            """
    )
    package static let upstreamCredentials = Problem.Kind(
        "upstream-credentials",
        .badGateway,
        "The photo library refuses this service's key.",
        explanation: """
            The operator must set `UNSPLASH_ACCESS_KEY` to a valid key. The library's own message is not forwarded.
            """
    )
    package static let photoNotFound = Problem.Kind(
        "photo-not-found",
        .notFound,
        "The photo library does not have this resource.",
        explanation: """
            The id or slug of a photo, topic or collection is unknown to the library, or the photo was deleted. The \
            answer is remembered for a minute.
            """
    )
    package static let upstreamError = Problem.Kind(
        "upstream-error",
        .badGateway,
        "The photo library failed.",
        explanation: """
            It answered with an error, cannot be reached, or closed the connection early. Cached answers are still \
            served, marked as stale. `Retry-After` has the seconds until the next attempt.
            """
    )
    package static let upstreamInvalid = Problem.Kind(
        "upstream-invalid",
        .badGateway,
        "The photo library's answer cannot be used.",
        explanation: """
            The answer was truncated, was not JSON or a picture, or was not what the library documents. It is not \
            cached.
            """
    )
    package static let upstreamTimeout = Problem.Kind(
        "upstream-timeout",
        .gatewayTimeout,
        "The photo library did not answer in time.",
        explanation: """
            The connection, the first byte, each pause and the whole transfer have time limits; one was exceeded.
            """
    )
    package static let imageRejected = Problem.Kind(
        "image-rejected",
        .badGateway,
        "The picture is not served.",
        explanation: """
            It is too large, has too many pixels, or is on a host or at an address that is not allowed; see `detail`.
            """
    )

    package static let budgetLow = Problem.Kind(
        "budget-low",
        .tooManyRequests,
        "The calls left in this hour are too few for a prefetch.",
        explanation: """
            Four fifths of the hourly calls are reserved for requests of clients. `Retry-After` has the seconds until \
            the next hour.
            """
    )
    /// The kinds of problems of the photo part.
    package static let photos: [Problem.Kind] = [
        .upstreamRateLimited, .upstreamCredentials, .photoNotFound, .upstreamError, .upstreamInvalid, .upstreamTimeout,
        .imageRejected, .budgetLow,
    ]
}
