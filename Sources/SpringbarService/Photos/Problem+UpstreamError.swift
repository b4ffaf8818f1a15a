package import HTTPExchange
import HTTPTypes
package import PhotoFeed

extension Problem {
    /// Words what went wrong with the photo library: never its body, its address or our key.
    package init(_ error: UpstreamError) {
        switch error {
        case .rateLimited(let retryAfter):
            self.init(
                .upstreamRateLimited,
                "The photo library's hourly limit is used up, and there is no copy to serve instead.",
                fields: [.retryAfter: retryAfter.retryAfter]
            )
        case .credentials:
            self.init(.upstreamCredentials, "The photo library does not accept this service's access key.")
        case .notFound:
            self.init(.photoNotFound, "The photo library has no photo, topic or collection of this name.")
        case .invalidQuery(_, let message):
            self.init(.invalidQuery, "The photo library refuses the query: \(message)")
        case .refused(let status):
            self.init(
                .upstreamError,
                "The photo library refuses the request with status \(status).",
                fields: [.retryAfter: "5"]
            )
        case .failed(let failure):
            self.init(.upstreamError, failure.sentence, fields: [.retryAfter: "5"])
        case .invalid(let what):
            self.init(
                .upstreamInvalid,
                "The photo library's answer cannot be used (\(what)).",
                fields: [.retryAfter: "5"]
            )
        case .unusable(let what):
            self.init(
                .upstreamInvalid,
                "The photo library's answer is not used (\(what)).",
                fields: [.retryAfter: "5"]
            )
        case .overloaded:
            self.init(
                .overloaded,
                "Too many transfers from the photo library are in progress.",
                fields: [.retryAfter: "1"]
            )
        case .timedOut:
            self.init(.upstreamTimeout, "The photo library took too long.", fields: [.retryAfter: "5"])
        case .imageRejected(let fault):
            self.init(.imageRejected, fault.sentence)
        case .unavailable(let retryAfter):
            self.init(
                .upstreamError,
                "The photo library has failed several times in a row and is left alone for a moment.",
                fields: [.retryAfter: retryAfter.retryAfter]
            )
        case .cancelled:
            self.init(.cancelled, "The request was cancelled.")
        }
        // An error is of this moment; who keeps one turns it into an outage.
        self.fields[.cacheControl] = "no-store"
    }
}

extension UpstreamError.Failure {
    fileprivate var sentence: String {
        switch self {
        case .status(let status): "The photo library answered with status \(status)."
        case .unreachable: "The photo library cannot be reached."
        case .connectionLost: "The photo library ended the connection before its answer was complete."
        case .tls: "The photo library could not be identified: its certificate does not hold."
        }
    }
}

extension UpstreamError.ImageFault {
    fileprivate var sentence: String {
        switch self {
        case .hostNotAllowed: "The picture is on a host that is not allowed."
        case .addressNotAllowed: "The picture's host has an address that is not allowed."
        case .redirected: "The picture has moved to a place that is not allowed."
        case .tooLarge(let limit): "The picture has more than \(limit) bytes."
        case .tooManyPixels(let limit): "The picture has more than \(limit) pixels."
        }
    }
}

extension Duration {
    /// The value of Retry-After: seconds, rounded up, one at least.
    var retryAfter: String {
        "\(max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))"
    }
}
