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
    /// The library refused the request with a status (4xx) that says nothing about the parameters.
    case refused(Int)
    /// It failed: a 5xx, a connection refused or reset.
    case failed(Failure)
    /// It answered what cannot be used: truncated, not JSON, of the wrong shape or type, empty.
    ///
    /// Says in a few words of ours what was wrong with it.
    case invalid(String)
    /// The call is not made, or its answer is not read, because of a rule of ours: an address that is not called, an
    /// answer above our limit.
    ///
    /// Says in a few words which.
    case unusable(String)
    /// The service has no memory, descriptor or free transfer for the call; it was not made, or ended by us.
    case overloaded
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
    /// What an error says about the state of the library.
    package enum Evidence: Sendable, Equatable {
        /// The library is at fault: a 5xx, a time-out, a connection that failed, a malformed answer.
        case failure
        /// The library answered as it should; the request was at fault, or the limit is used up.
        case answer
        /// Nothing was heard: a rule or limit of ours ended the call, or its asker left.
        case silence
    }

    /// What this error says about the library: only `failure` counts towards the circuit breaker.
    package var evidence: Evidence {
        switch self {
        case .failed, .invalid, .timedOut: .failure
        case .rateLimited, .credentials, .notFound, .invalidQuery, .refused: .answer
        case .unusable, .overloaded, .imageRejected, .unavailable, .cancelled: .silence
        }
    }

    /// Whether a stale copy may be served in this one's place (RFC 5861, section 4).
    package var allowsStale: Bool {
        switch self {
        case .rateLimited, .credentials, .refused, .failed, .invalid, .unusable, .overloaded, .timedOut, .unavailable:
            true
        case .notFound, .invalidQuery, .imageRejected, .cancelled: false
        }
    }
}
