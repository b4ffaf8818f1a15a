package import PhotoFeed

/// How an answer was come by, as Cache-Status says it (RFC 9211).
package enum CacheStatus: Sendable {
    /// From memory; fresh for this long, or stale since, when it is negative.
    case hit(ttl: Duration)
    /// Fetched, by this request or together with others.
    case miss(isCollapsed: Bool)
    /// Stale from memory, because the fetch failed.
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

/// What clients and the caches between may do with an answer (RFC 9111, section 5.2; RFC 5861).
enum CacheControl {
    static let page = "public, max-age=300, stale-while-revalidate=3300, stale-if-error=86100"
    static let detail = "public, max-age=3600, stale-while-revalidate=3600, stale-if-error=82800"
    static let picture = "public, max-age=604800"
    /// Of what is stale already, so that nobody adds to its age.
    static let stale = "no-cache"
}

extension UpstreamError {
    /// The status that the library answered with, where it is known.
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
        case .cancelled: "cancelled"
        }
    }
}
