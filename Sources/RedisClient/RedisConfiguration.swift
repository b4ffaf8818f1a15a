/// The settings of a client.
package struct RedisConfiguration: Sendable {
    package var url: RedisURL
    /// A file of trusted certificates (PEM) instead of the system's.
    package var authorities: String?
    /// The time from the submission of a command to its reply.
    package var timeout: Duration
    /// The most commands that wait for replies.
    package var largestPending = 10_000
    /// The most bytes of the commands that wait for replies.
    package var largestPendingBytes = 16 << 20
    var limits = ConnectionMachine.Limits()

    package init(url: RedisURL, authorities: String? = nil, timeout: Duration = .seconds(2)) {
        self.url = url
        self.authorities = authorities
        self.timeout = timeout
        limits.silence = timeout
    }
}
