/// The ages up to which an answer of the library may be served (RFC 9111, RFC 5861).
package struct Freshness: Sendable, Equatable {
    /// Served without a fetch up to this age.
    package let fresh: Duration
    /// Served up to this age while it is fetched again in the background.
    package let staleWhileRevalidate: Duration
    /// Served up to this age if the library fails.
    package let staleIfError = Duration.seconds(86_400)

    /// The library's own edge serves lists up to 40 minutes old.
    package static let lists = Freshness(fresh: .seconds(300), staleWhileRevalidate: .seconds(3600))
    package static let details = Freshness(fresh: .seconds(3600), staleWhileRevalidate: .seconds(7200))

    package enum State: Sendable, Equatable {
        case fresh
        case stale
        /// Served only if the library fails.
        case onlyIfError
        case expired
    }

    package func state(age: Duration) -> State {
        if age < fresh { return .fresh }
        if age < staleWhileRevalidate { return .stale }
        return age < staleIfError ? .onlyIfError : .expired
    }
}

/// The origin of an answer, for the field Cache-Status (RFC 9211).
package enum CacheStatus: Sendable, Equatable {
    case hit
    /// Fetched, by this request or for several at once; not stored if it is too large for the cache.
    case miss(isCollapsed: Bool, isStored: Bool = true)
    /// Stale from the cache, because the fetch failed.
    case stale(UpstreamError)

    /// Returns the status of an answer that is made of several parts: the worst of theirs, and a miss is worse than a hit.
    package func joined(with other: CacheStatus) -> CacheStatus { other.rank > rank ? other : self }

    /// Whether an error has prevented a fetch.
    package var isStale: Bool { if case .stale = self { true } else { false } }

    private var rank: Int {
        switch self {
        case .hit: 0
        case .miss(let isCollapsed, _): isCollapsed ? 1 : 2
        case .stale: 3
        }
    }
}
