package import PhotoFeed

/// The origin of an answer, for the field Cache-Status (RFC 9211).
package enum CacheStatus: Sendable {
    /// From the cache; fresh for this time, or stale since, if it is negative.
    case hit(ttl: Duration)
    /// Fetched, by this request or for several at once.
    case miss(isCollapsed: Bool)
    /// Stale from the cache, because the fetch failed.
    case stale(UpstreamError)

    /// The member for this cache, whose name is `photos`.
    var text: String {
        switch self {
        case .hit(let ttl): "photos; hit; ttl=\(ttl.components.seconds)"
        case .miss(isCollapsed: false): "photos; fwd=miss; stored"
        case .miss(isCollapsed: true): "photos; fwd=miss; collapsed"
        case .stale(let error):
            "photos; fwd=stale" + (error.status.map { "; fwd-status=\($0)" } ?? "")
                + "; detail=\(error.word)"
        }
    }
}

/// The values of Cache-Control (RFC 9111, section 5.2; RFC 5861).
enum CacheControl {
    static let page = Freshness.lists.cacheControl
    static let detail = Freshness.details.cacheControl
    static let picture = "public, max-age=\(Freshness.pictures.components.seconds)"
    /// For stale answers, so that no other cache adds to their age.
    static let stale = "no-cache"
}

extension Freshness {
    /// The value of Cache-Control for a fresh answer.
    fileprivate var cacheControl: String {
        let (fresh, stale, error) = (fresh.components.seconds, staleWhileRevalidate.components, staleIfError.components)
        return "public, max-age=\(fresh), stale-while-revalidate=\(stale.seconds - fresh), "
            + "stale-if-error=\(error.seconds - fresh)"
    }
}

extension UpstreamError {
    /// The status of the library, if it is known.
    fileprivate var status: Int? {
        switch self {
        case .rateLimited: 403
        case .credentials: 401
        case .failed(.status(let status)), .refused(let status): status
        default: nil
        }
    }

    /// A token for Cache-Status.
    fileprivate var word: String {
        switch self {
        case .rateLimited: "rate-limited"
        case .credentials: "credentials"
        case .notFound: "not-found"
        case .invalidQuery: "invalid-query"
        case .refused: "refused"
        case .failed: "error"
        case .invalid: "invalid"
        case .unusable: "unusable"
        case .overloaded: "overloaded"
        case .timedOut: "timeout"
        case .imageRejected: "rejected"
        case .unavailable: "unavailable"
        case .storeUnavailable: "store-unavailable"
        case .cancelled: "cancelled"
        }
    }
}

extension Freshness {
    /// The value of Cache-Control at an age (RFC 9111, section 5.2; RFC 5861).
    func cacheControl(age: Duration) -> String {
        // So that no other cache adds to the age of a stale answer.
        guard age < fresh else { return "no-cache" }
        let (fresh, stale, error) = (fresh.components.seconds, staleWhileRevalidate.components, staleIfError.components)
        return "public, max-age=\(fresh), stale-while-revalidate=\(stale.seconds - fresh), "
            + "stale-if-error=\(error.seconds - fresh)"
    }

    /// The value of Cache-Control for pictures.
    static let pictureControl = "public, max-age=\(pictures.components.seconds)"
}
