import HTTPExchange

/// The ages up to which an answer of the library may be served (RFC 9111, RFC 5861).
struct Freshness: Sendable, Equatable {
    /// Served without a fetch up to this age.
    let fresh: Duration
    /// Served up to this age while it is fetched again in the background.
    let staleWhileRevalidate: Duration
    /// Served up to this age if the library fails.
    let staleIfError = Duration.seconds(86_400)

    /// The library's own edge serves lists up to 40 minutes old.
    static let lists = Freshness(fresh: .seconds(300), staleWhileRevalidate: .seconds(3600))
    static let details = Freshness(fresh: .seconds(3600), staleWhileRevalidate: .seconds(7200))
    /// Pictures never change under their id, so if the library fails, any age is served.
    static let pictures = Duration.seconds(604_800)

    enum State: Sendable, Equatable {
        case fresh
        case stale
        /// Served only if the library fails.
        case onlyIfError
        case expired
    }

    func state(age: Duration) -> State {
        if age < fresh { return .fresh }
        if age < staleWhileRevalidate { return .stale }
        return age < staleIfError ? .onlyIfError : .expired
    }
}

/// The origin of an answer, for the field Cache-Status (RFC 9211).
enum CacheStatus: Sendable, Equatable {
    case hit
    /// Fetched, by this request or for several at once.
    case miss(isCollapsed: Bool)
    /// Stale from the cache, because the fetch failed.
    case stale(UpstreamError)

    /// Returns the status of an answer that is made of several parts: the worst of theirs, and a miss is worse than a hit.
    func joined(with other: CacheStatus) -> CacheStatus { other.rank > rank ? other : self }

    /// Whether an error has prevented a fetch.
    var isStale: Bool { if case .stale = self { true } else { false } }

    private var rank: Int {
        switch self {
        case .hit: 0
        case .miss(let isCollapsed): isCollapsed ? 1 : 2
        case .stale: 3
        }
    }

    /// The value of the field; `ttl` is the time for which a hit is fresh, negative if it is stale since.
    func text(ttl: Duration) -> String {
        switch self {
        case .hit: "photos; hit; ttl=\(ttl.components.seconds)"
        case .miss(isCollapsed: false): "photos; fwd=miss; stored"
        case .miss(isCollapsed: true): "photos; fwd=miss; collapsed"
        case .stale(let error): "photos; fwd=stale; \(error.parameters)"
        }
    }
}

extension Freshness {
    /// The value of Cache-Control at an age (RFC 9111, section 5.2; RFC 5861).
    ///
    /// If the links follow from the Host of the request, the answer is private: a shared cache would send the links that
    /// one client has chosen to all others.
    func cacheControl(age: Duration, linksFollowHost: Bool) -> String {
        let scope = linksFollowHost ? "private" : "public"
        // So that no other cache adds to the age of a stale answer.
        guard age < fresh else { return linksFollowHost ? "private, no-cache" : "no-cache" }
        let (fresh, stale, error) = (fresh.components.seconds, staleWhileRevalidate.components, staleIfError.components)
        return "\(scope), max-age=\(fresh), stale-while-revalidate=\(stale.seconds - fresh), "
            + "stale-if-error=\(error.seconds - fresh)"
    }

    static let pictureControl = "public, max-age=\(pictures.components.seconds)"
}

extension UpstreamError {
    /// The status of the library, if it is known, and the code of its problem without the prefix.
    fileprivate var parameters: String {
        let status: Int? =
            switch self {
            case .rateLimited: 403
            case .credentials: 401
            case .refused(let status, _), .failed(.status(let status, _)): status
            default: nil
            }
        let detail = "detail=" + Problem(self).code.replacing("upstream-", with: "")
        return status.map { "fwd-status=\($0); \(detail)" } ?? detail
    }
}
