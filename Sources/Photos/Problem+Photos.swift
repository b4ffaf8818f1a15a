package import HTTPExchange
import HTTPTypes
package import PhotoLibrary

extension Problem {
    /// Converts an error of the library to a problem, without its content, its address or the key.
    package init(_ error: UpstreamError) {
        let noCopy = "and there is no copy to serve instead"
        let untilProbe = "no call is made until the next probe"
        let wait = error.parts.error.retryAfter ?? .seconds(5)
        let (kind, detail, retryAfter): (Kind, String, Duration?) =
            switch error.parts.error {
            case .rateLimited:
                (.upstreamRateLimited, "The photo library's hourly limit is exhausted, \(noCopy).", wait)
            case .credentials: (.upstreamCredentials, "The photo library refuses the access key of this service.", nil)
            case .notFound: (.photoNotFound, "The photo library has no photo, topic or collection of this name.", nil)
            case .invalidQuery(_, let message): (.invalidQuery, "The photo library refuses the query: \(message)", nil)
            case .refused(let status, _):
                (.upstreamError, "The photo library refuses the request with status \(status).", wait)
            case .failed(let failure): (.upstreamError, failure.sentence, wait)
            case .invalid(let reason):
                (.upstreamInvalid, "The photo library's answer cannot be used (\(reason)).", .seconds(5))
            case .unusable(let reason):
                (.upstreamInvalid, "The photo library's answer is not used (\(reason)).", .seconds(5))
            case .overloaded: (.overloaded, "Too many transfers from the photo library are in progress.", .seconds(1))
            case .timedOut: (.upstreamTimeout, "The photo library did not answer in time.", .seconds(5))
            case .imageRejected(let fault): (.imageRejected, fault.sentence, nil)
            case .unavailable:
                (.upstreamError, "The photo library has failed several times in a row; \(untilProbe).", wait)
            case .storeUnavailable:
                (.storeUnavailable, "The store of the replicas does not answer, \(noCopy).", .seconds(1))
            case .cancelled, .counted: (.cancelled, "The request was cancelled.", nil)
            }
        // A cached error would outlast its cause.
        self.init(kind, detail, retryAfter: retryAfter, fields: [.cacheControl: "no-store"])
    }

    /// Converts the refusal of a fetch for a page of another site to a problem.
    package init(_ error: FetchNotAllowed) {
        let detail = "The origin of the page is not in SPRINGBAR_CORS_ORIGINS, and there is no copy in memory."
        self.init(.crossSite, detail)
    }
}

extension UpstreamError.Failure {
    fileprivate var sentence: String {
        switch self {
        case .status(let status, _): "The photo library answered with status \(status)."
        case .unreachable: "The photo library cannot be reached."
        case .addressNotAllowed: "The photo library is at an address that is neither public nor allowed."
        case .connectionLost: "The photo library closed the connection before its answer was complete."
        case .tls: "The certificate of the photo library is not valid."
        }
    }
}

extension UpstreamError.ImageFault {
    fileprivate var sentence: String {
        switch self {
        case .hostNotAllowed: "The picture is on a host that is not allowed."
        case .addressNotAllowed: "The picture's host has an address that is not allowed."
        case .redirected: "The picture redirects to an address that is not allowed."
        case .tooLarge(let limit): "The picture has more than \(limit) bytes."
        case .tooManyPixels(let limit): "The picture has more than \(limit) pixels."
        }
    }
}

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
    package static let crossSite = Problem.Kind(
        "cross-site",
        .forbidden,
        "The request is from a page of another site.",
        explanation: """
            Any page could spend the calls of this service with an `<img>`. A request that a browser marks with \
            `Sec-Fetch-Site: cross-site` gets what is in memory, unless `SPRINGBAR_CORS_ORIGINS` has the origin of its page.
            """
    )
    /// The kinds of problems of the photo part.
    package static let photos: [Problem.Kind] = [
        .upstreamRateLimited, .upstreamCredentials, .photoNotFound, .upstreamError, .upstreamInvalid, .upstreamTimeout,
        .imageRejected, .budgetLow, .crossSite,
    ]
}
