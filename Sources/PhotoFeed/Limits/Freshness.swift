/// How long an answer of the library may be served (RFC 9111; RFC 5861 for the two kinds of staleness).
package struct Freshness: Sendable, Equatable {
    /// As good as new.
    package var fresh: Duration
    /// Until this age it is served at once, and asked for again behind the client's back.
    package var staleWhileRevalidate: Duration
    /// Until this age it is served when the library fails.
    package var staleIfError: Duration

    package init(fresh: Duration, staleWhileRevalidate: Duration, staleIfError: Duration) {
        self.fresh = fresh
        self.staleWhileRevalidate = staleWhileRevalidate
        self.staleIfError = staleIfError
    }

    /// Lists: the library's own edge serves them up to 40 minutes old, so minutes here cost no freshness.
    package static let lists = Freshness(
        fresh: .seconds(300),
        staleWhileRevalidate: .seconds(3600),
        staleIfError: .seconds(86400)
    )
    package static let details = Freshness(
        fresh: .seconds(3600),
        staleWhileRevalidate: .seconds(7200),
        staleIfError: .seconds(86400)
    )
    /// The picture behind an id never changes; only its deletion does.
    package static let pictures = Freshness(
        fresh: .seconds(604_800),
        staleWhileRevalidate: .seconds(608_400),
        staleIfError: .seconds(691_200)
    )

    package enum State: Sendable, Equatable {
        case fresh
        case stale
        /// To be served only when the library fails.
        case onlyIfError
        case expired
    }

    package func state(age: Duration) -> State {
        if age < fresh { return .fresh }
        if age < staleWhileRevalidate { return .stale }
        return age < staleIfError ? .onlyIfError : .expired
    }
}
