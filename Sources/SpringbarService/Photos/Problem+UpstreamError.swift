package import HTTPExchange
import HTTPTypes
package import PhotoFeed

extension Problem {
    /// Converts an error of the library to a problem, without its content, its address or the key.
    package init(_ error: UpstreamError) {
        switch error {
        case .rateLimited(let retryAfter):
            self.init(
                .upstreamRateLimited,
                "The photo library's hourly limit is exhausted, and there is no copy to serve instead.",
                fields: [.retryAfter: retryAfter.retryAfter]
            )
        case .credentials:
            self.init(.upstreamCredentials, "The photo library refuses the access key of this service.")
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
        case .invalid(let reason):
            self.init(
                .upstreamInvalid,
                "The photo library's answer cannot be used (\(reason)).",
                fields: [.retryAfter: "5"]
            )
        case .unusable(let reason):
            self.init(
                .upstreamInvalid,
                "The photo library's answer is not used (\(reason)).",
                fields: [.retryAfter: "5"]
            )
        case .overloaded:
            self.init(
                .overloaded,
                "Too many transfers from the photo library are in progress.",
                fields: [.retryAfter: "1"]
            )
        case .timedOut:
            self.init(.upstreamTimeout, "The photo library did not answer in time.", fields: [.retryAfter: "5"])
        case .imageRejected(let fault):
            self.init(.imageRejected, fault.sentence)
        case .unavailable(let retryAfter):
            self.init(
                .upstreamError,
                "The photo library has failed several times in a row; no call is made until the next probe.",
                fields: [.retryAfter: retryAfter.retryAfter]
            )
        case .cancelled:
            self.init(.cancelled, "The request was cancelled.")
        }
        // A cached error would outlast its cause.
        self.fields[.cacheControl] = "no-store"
    }
}

extension UpstreamError.Failure {
    fileprivate var sentence: String {
        switch self {
        case .status(let status): "The photo library answered with status \(status)."
        case .unreachable: "The photo library cannot be reached."
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

extension Duration {
    /// The value of Retry-After: seconds, rounded up, one at least.
    var retryAfter: String {
        "\(max(1, components.seconds + (components.attoseconds > 0 ? 1 : 0)))"
    }
}
