package struct RedisConfiguration: Sendable {
    /// The address of the server, or those of some servers of one cluster, which are asked for all others.
    package var urls: [RedisURL]
    /// A file of trusted certificates (PEM) instead of the system's.
    package var authorities: String?
    /// The time from the sending of a command to its reply; without a reply the connection is lost.
    package var timeout: Duration
    package var largestPending = 10_000
    package var largestPendingBytes = 16 << 20

    /// - Precondition: there is at least one address.
    package init(urls: [RedisURL], authorities: String? = nil, timeout: Duration = .seconds(2)) {
        precondition(!urls.isEmpty, "a client needs an address")
        self.urls = urls
        self.authorities = authorities
        self.timeout = timeout
    }
}
