import Primitives
import Synchronization

/// Limits how often one client address asks; above it, 429 with Retry-After.
///
/// A client without a known address is not limited. Time is the exchange's own.
package final class ClientRate: Middleware {
    private let buckets: Mutex<TokenBuckets<ClientKey>>

    /// - Parameters:
    ///   - perSecond: requests a second in the long run, above 0.
    ///   - burst: how many may come at once after a rest, at least 1; a second's worth when not said.
    ///   - capacity: how many clients are remembered at most.
    package init(perSecond: Double, burst: Int? = nil, capacity: Int = 65536) {
        let burst = burst ?? Int.clamping(perSecond.rounded(.up), to: 1...1_000_000)
        buckets = Mutex(TokenBuckets(perSecond: perSecond, burst: burst, capacity: capacity))
    }

    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? {
        guard let client = context.client.flatMap({ ClientKey($0) }) else { return nil }
        let wait = buckets.withLock { $0.take(client, now: context.started) }
        guard wait > .zero else { return nil }
        let seconds = Int.clamping((wait / .seconds(1)).rounded(.up))
        throw Problem(
            .tooManyRequests,
            "The next request is answered in \(seconds) s.",
            fields: [.retryAfter: String(seconds)]
        )
    }
}
