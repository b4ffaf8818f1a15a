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
