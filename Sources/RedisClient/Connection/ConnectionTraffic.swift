import Primitives

/// The use of a connection: commands and their replies, or subscriptions and their messages.
///
/// Only the thread of the loop calls it.
protocol ConnectionTraffic: AnyObject {
    /// The time at which the oldest command without a reply was sent; nil if Redis owes no reply.
    var owedSince: Instant? { get }

    /// The connection is usable; what is appended to `output` is sent.
    func opened(_ facts: ServerFacts, _ output: inout OutputBuffer, now: Instant)

    /// Appends a PING and expects its reply.
    func ping(_ output: inout OutputBuffer, now: Instant)

    /// Takes a reply; returns a failure if the connection must be closed.
    func take(_ reply: RedisReply, _ output: inout OutputBuffer, now: Instant) -> ConnectionFailure?

    /// The connection is lost, or an attempt to open it failed.
    func closed(_ failure: ConnectionFailure)
}
