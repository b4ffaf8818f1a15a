package import HTTPExchange
import HTTPTypes

extension Problem.Kind {
    package static let upstreamRateLimited = Problem.Kind(
        "upstream-rate-limited",
        .serviceUnavailable,
        "The photo library's limit is used up.",
        explanation: """
            The library allows a number of calls an hour, and this service keeps within it. What is in memory is still \
            served, marked as stale. `Retry-After` has the seconds after which asking makes sense. (429 is kept for the \
            case that *this* client asks too often.)
            """
    )
    package static let upstreamCredentials = Problem.Kind(
        "upstream-credentials",
        .badGateway,
        "The photo library refuses this service's key.",
        explanation: """
            The operator has to set `UNSPLASH_ACCESS_KEY` to a key that is valid. The library's own words are not \
            passed on.
            """
    )
    package static let photoNotFound = Problem.Kind(
        "photo-not-found",
        .notFound,
        "The photo library does not have this.",
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
            It answered with an error of its own, cannot be reached, or broke off. What is in memory is still served, \
            marked as stale. `Retry-After` has the seconds after which to try again.
            """
    )
    package static let upstreamInvalid = Problem.Kind(
        "upstream-invalid",
        .badGateway,
        "The photo library's answer cannot be used.",
        explanation: """
            The answer was truncated, was no JSON or no picture, or was not what the library documents. Nothing of it \
            is kept.
            """
    )
    package static let upstreamTimeout = Problem.Kind(
        "upstream-timeout",
        .gatewayTimeout,
        "The photo library took too long.",
        explanation: """
            Connecting, the first byte, each pause and the whole have their limits; one of them was exceeded.
            """
    )
    package static let imageRejected = Problem.Kind(
        "image-rejected",
        .badGateway,
        "The picture is not served.",
        explanation: """
            It is too large, has too many pixels, or is on a host or at an address that is not allowed. `detail` says \
            which.
            """
    )

    package static let budgetLow = Problem.Kind(
        "budget-low",
        .tooManyRequests,
        "There is too little of the hour's budget left for a prefetch.",
        explanation: """
            The last four fifths of the hour's calls are kept for people who wait. `Retry-After` has the seconds until \
            the next hour.
            """
    )
    /// The kinds of the photo part.
    package static let photos: [Problem.Kind] = [
        .upstreamRateLimited, .upstreamCredentials, .photoNotFound, .upstreamError, .upstreamInvalid, .upstreamTimeout,
        .imageRejected, .budgetLow,
    ]
}
