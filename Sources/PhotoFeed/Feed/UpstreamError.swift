/// What can go wrong between the service and the photo library.
///
/// No case carries a body, a key or an address of the library's: what stands here may be worded for clients.
package enum UpstreamError: Error, Sendable, Hashable {
    /// The hourly limit is used up: the plain-text 403, a 429, or our own budget at its end.
    case rateLimited(retryAfter: Duration)
    /// The library does not accept the key (401, or a 403 in JSON).
    case credentials
    /// There is no such photo, topic or collection.
    case notFound
    /// The library refused the parameters with this status (400, 410, 422) and message in plain words.
    case invalidQuery(Int, String)
    /// It failed: a 5xx, a connection refused or reset.
    case failed(Failure)
    /// It answered what cannot be used: truncated, not JSON, of the wrong shape or type, empty.
    ///
    /// Says in a few words of ours what was wrong with it.
    case invalid(String)
    /// It took too long.
    case timedOut
    /// A picture that is not served: too large, too many pixels, a host that is not allowed.
    case imageRejected(ImageFault)
    /// It failed several times in a row and is left alone until the next probe.
    case unavailable(retryAfter: Duration)
    /// The asker left.
    case cancelled

    package enum Failure: Sendable, Hashable {
        case status(Int)
        case unreachable
        case connectionLost
        case tls
    }

    package enum ImageFault: Sendable, Hashable {
        case hostNotAllowed
        case addressNotAllowed
        case redirected
        case tooLarge(limit: Int)
        case tooManyPixels(limit: Int)
    }
}

extension UpstreamError {
    /// Whether the library itself is at fault, so that asking again at once is of no use to anybody.
    package var countsAgainstUpstream: Bool {
        switch self {
        case .failed, .invalid, .timedOut: true
        case .rateLimited, .credentials, .notFound, .invalidQuery, .imageRejected, .unavailable, .cancelled: false
        }
    }

    /// Whether a stale copy may be served in this one's place (RFC 5861, section 4).
    package var allowsStale: Bool {
        switch self {
        case .rateLimited, .credentials, .failed, .invalid, .timedOut, .unavailable: true
        case .notFound, .invalidQuery, .imageRejected, .cancelled: false
        }
    }
}
