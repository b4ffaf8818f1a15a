import Primitives
import Synchronization

/// Limits the rate of requests of each client address; requests above it get 429 with Retry-After.
///
/// Clients without a known address are not limited, and neither are operations: a busy service must not look dead to its
/// monitoring.
///
/// A client has a bucket of tokens, which is stored as the instant when it will be full again (the generic cell rate
/// algorithm, ITU-T I.371): it needs no refilling, and a full one need not be stored. Frequent clients stay among many new
/// ones. A client that is removed too early is only accepted too early.
package final class ClientRate: Middleware {
    /// The time in which a token is refilled, and that of a whole bucket.
    private let interval: Duration
    private let depth: Duration
    let fullAgain: Lock<BoundedCache<ClientKey, Instant>>

    /// Limits to a rate above 0, and after a pause to a burst of at least one request; by default to those of one second.
    package init(perSecond: Double, burst: Int? = nil, capacity: Int = 65536) {
        precondition(perSecond > 0 && burst ?? 1 >= 1 && capacity >= 1)
        interval = .nanoseconds(Int64.clamping(1e9 / perSecond))
        depth = interval * (burst ?? Int.clamping(perSecond.rounded(.up), to: 1...1_000_000))
        fullAgain = Lock(BoundedCache(capacity: capacity))
    }

    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? {
        guard let client = context.clientKey, context.route?.isOperation != true else { return nil }
        let wait = take(client, at: context.started)
        guard wait > .zero else { return nil }
        let detail = "The next request is accepted in \(wait.retryAfter) s."
        throw Problem(.tooManyRequests, detail, retryAfter: wait)
    }

    /// Takes a token from a client's bucket; returns the time until there is one if none was taken.
    private func take(_ client: ClientKey, at now: Instant) -> Duration {
        fullAgain.withLock { fullAgain in
            let next = max(fullAgain.value(for: client) ?? now, now) + interval
            let wait = (next - now) - depth
            if wait <= .zero { fullAgain.insert(next, for: client, cost: 1) }
            return max(wait, .zero)
        }
    }
}
