package import Primitives
import Synchronization

/// Limits the rate of requests of each client address; requests above it get 429 with Retry-After.
///
/// Clients without a known address are not limited, and neither are operations: a busy service must not look dead to its
/// monitoring.
package final class ClientRate: Middleware {
    private let buckets: Lock<TokenBuckets<ClientKey>>

    /// Limits to a rate above 0, and after a pause to a burst of requests at once; by default to those of one second.
    package init(perSecond: Double, burst: Int? = nil, capacity: Int = 65536) {
        let burst = burst ?? Int.clamping(perSecond.rounded(.up), to: 1...1_000_000)
        buckets = Lock(TokenBuckets(perSecond: perSecond, burst: burst, capacity: capacity))
    }

    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? {
        guard let client = context.clientKey, context.route?.isOperation != true else { return nil }
        let wait = buckets.withLock { $0.take(client, now: context.started) }
        guard wait > .zero else { return nil }
        let detail = "The next request is accepted in \(wait.retryAfter) s."
        throw Problem(.tooManyRequests, detail, retryAfter: wait)
    }
}

/// Token buckets for many keys, in bounded memory.
///
/// A bucket is the instant when it will be full again (the generic cell rate algorithm, ITU-T I.371), so it needs no
/// refilling, and a full one need not be stored. Frequent keys stay among many new ones. A key that is removed too early is
/// only accepted too early.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let interval: Duration
    private let depth: Duration
    private var buckets: BoundedCache<Key, Instant>

    /// Fills buckets at a rate above 0 up to `burst` tokens, at least 1, and keeps at most `capacity` of them.
    package init(perSecond: Double, burst: Int, capacity: Int) {
        precondition(perSecond > 0 && burst >= 1 && capacity >= 1)
        interval = .nanoseconds(Int64.clamping(1e9 / perSecond))
        depth = interval * burst
        buckets = BoundedCache(capacity: capacity)
    }

    /// The number of buckets that are kept.
    package var count: Int { buckets.count }

    /// Takes a token from a bucket.
    ///
    /// - Returns: 0; or, if the bucket is empty and no token was taken, the time until there is one.
    package mutating func take(_ key: Key, now: Instant) -> Duration {
        let fullAgain = max(buckets.value(for: key) ?? now, now) + interval
        let wait = (fullAgain - now) - depth
        if wait > .zero { return wait }
        buckets.insert(fullAgain, for: key, cost: 1)
        return .zero
    }
}
