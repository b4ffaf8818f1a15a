package import Primitives
import Synchronization

/// The identity of a client: an IPv4 address, or the /64 of an IPv6 address.
///
/// A /64 is the smallest network that is assigned to one IPv6 client (RFC 6177), which may use any of its addresses.
package struct ClientKey: Sendable, Hashable {
    private let network: IPAddress

    package init(_ address: IPAddress) {
        network = address.network(prefixLength: address.isV4 ? 32 : 64)
    }

    /// A hash of the network that is the same in every process.
    ///
    /// Its key is fixed, so it hides the address from a glance only: all IPv4 addresses can be tried.
    package var fingerprint: UInt64 { SipHash.hash(network.description) }

    /// Parses the text of an address; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let address = IPAddress(text) else { return nil }
        self.init(address)
    }
}

/// Counts the items of one kind (connections, streams, bars) for each client, up to a limit.
///
/// It stores only clients that have at least one, so its memory is bounded by the number of items.
package final class ClientShares: Sendable {
    /// The most items of one client; 0 for no limit, and then nothing is counted.
    package let limit: Int
    private let counts = Mutex<[ClientKey: Int]>([:])
    /// The number of clients above the limit, so that `isExceeded` needs no lock while there is none.
    private let excesses = Atomic(0)

    /// Creates shares of at most `limit` items, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0)
        self.limit = limit
    }

    /// Returns the number of items of a client.
    package func count(of client: ClientKey) -> Int {
        counts.withLock { $0[client] ?? 0 }
    }

    /// Counts `amount` more items for a client.
    ///
    /// - Parameters:
    ///   - client: nil for an unknown address, which is not limited.
    ///   - amount: at least 0.
    /// - Returns: false if the share is used up; nothing is counted then. After true, call `giveBack` with the same
    ///   arguments when the items end.
    package func take(_ client: ClientKey?, _ amount: Int = 1) -> Bool {
        guard limit > 0, let client else { return true }
        return counts.withLock { counts in
            let count = counts[client] ?? 0
            guard amount <= limit - count else { return false }
            counts[client] = count + amount
            return true
        }
    }

    /// Counts `amount` more items for a client, even above the limit: for items that exist already.
    package func charge(_ client: ClientKey?, _ amount: Int) {
        guard limit > 0, let client else { return }
        counts.withLock { counts in
            let count = counts[client] ?? 0
            counts[client] = count + amount
            if count <= limit, count + amount > limit { excesses.add(1, ordering: .relaxed) }
        }
    }

    /// Returns whether a client has more items than the limit.
    package func isExceeded(by client: ClientKey?) -> Bool {
        guard excesses.load(ordering: .relaxed) > 0, let client else { return false }
        return count(of: client) > limit
    }

    /// Counts `amount` fewer items for a client.
    package func giveBack(_ client: ClientKey?, _ amount: Int = 1) {
        guard limit > 0, let client else { return }
        counts.withLock { counts in
            guard let count = counts[client] else { return }
            counts[client] = count > amount ? count - amount : nil
            if count > limit, count - amount <= limit { excesses.subtract(1, ordering: .relaxed) }
        }
    }
}

/// A stream that is counted for its client as long as it is open.
package final class LimitedStream: ContentStream {
    private let base: any ContentStream
    private let shares: ClientShares
    private let client: ClientKey?
    private let isHeld = Atomic(true)

    /// Creates a stream that is counted in `shares` already.
    ///
    /// It is uncounted when it is closed, or released without being closed.
    package init(_ base: any ContentStream, of client: ClientKey?, in shares: ClientShares) {
        self.base = base
        self.client = client
        self.shares = shares
    }

    deinit {
        giveBack()
    }

    private func giveBack() {
        if isHeld.exchange(false, ordering: .acquiringAndReleasing) { shares.giveBack(client) }
    }

    package var length: Int? { base.length }

    package var waitingBytes: Int { base.waitingBytes }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        wake: @escaping @Sendable () -> Void
    ) -> StreamRead {
        base.read(into: buffer, wake: wake)
    }

    package func heartbeat() {
        base.heartbeat()
    }

    package func drain() {
        base.drain()
    }

    package func close() {
        giveBack()
        base.close()
    }
}

extension Response {
    /// Returns the response with a stream that is counted for a client while it is open.
    ///
    /// - Throws: 429 `client-share` if the share is used up; the stream is closed then.
    package func limited(to shares: ClientShares, client: String?) throws(Problem) -> Response {
        guard case .stream(let stream) = content else { return self }
        let key = client.flatMap { ClientKey($0) }
        guard shares.take(key) else {
            stream.close()
            throw Problem(
                .clientShare,
                "A client may have at most \(shares.limit) open streams.",
                members: [Problem.Member("limit", shares.limit)],
                fields: [.retryAfter: "5"]
            )
        }
        var response = self
        response.content = .stream(LimitedStream(stream, of: key, in: shares))
        return response
    }
}

/// Limits the rate of requests of each client address; requests above it get 429 with Retry-After.
///
/// Clients without a known address are not limited.
package final class ClientRate: Middleware {
    private let buckets: Mutex<TokenBuckets<ClientKey>>

    /// - Parameters:
    ///   - perSecond: the average rate in requests a second, above 0.
    ///   - burst: the most requests at once after a pause, at least 1; by default those of one second.
    ///   - capacity: the most clients that are remembered.
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
            "The next request is accepted in \(seconds) s.",
            fields: [.retryAfter: String(seconds)]
        )
    }
}

/// Token buckets for many keys, in bounded memory.
///
/// A bucket is the instant when it will be full again (the generic cell rate algorithm, ITU-T I.371), so it needs no
/// refilling, and a full one need not be stored. Buckets are kept in two generations: when the young one reaches its size,
/// it becomes the old one, and the previous old one is removed. So frequent keys stay, and many new keys need no more
/// memory than both generations. A key that is removed too early is only accepted too early.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let interval: Duration
    private let depth: Duration
    private let generationSize: Int
    private var young: [Key: ContinuousClock.Instant] = [:]
    private var old: [Key: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - perSecond: tokens that are added to a bucket each second, above 0.
    ///   - burst: tokens of a full bucket, at least 1.
    ///   - capacity: the most buckets that are kept, at least 2.
    package init(perSecond: Double, burst: Int, capacity: Int) {
        precondition(perSecond > 0 && burst >= 1 && capacity >= 2)
        interval = .nanoseconds(Int64.clamping(1e9 / perSecond))
        depth = interval * burst
        generationSize = capacity / 2
    }

    /// The number of buckets that are kept.
    package var count: Int { young.count + old.count }

    /// Takes a token from a bucket.
    ///
    /// - Returns: 0; or, if the bucket is empty and no token was taken, the time until there is one.
    package mutating func take(_ key: Key, now: ContinuousClock.Instant) -> Duration {
        let known = young[key] ?? old[key] ?? now
        let fullAgain = max(known, now) + interval
        let wait = now.duration(to: fullAgain) - depth
        if wait > .zero { return wait }
        if young.count >= generationSize, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = fullAgain
        return .zero
    }
}
