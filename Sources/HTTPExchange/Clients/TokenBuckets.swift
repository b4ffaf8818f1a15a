import Primitives

/// A token bucket for each of many keys, in bounded memory.
///
/// A bucket is one instant: when it will be full again (the generic cell rate algorithm, ITU-T I.371). It needs no
/// refilling, and one that is full already is the same as none. What is remembered are two generations: when the young
/// one is full it becomes the old one and the old one is forgotten, so that whoever asks often is kept, a flood of new
/// keys costs no more than the two, and what is forgotten too early is only let through too early.
package struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let interval: Duration
    private let depth: Duration
    private let generationSize: Int
    private var young: [Key: ContinuousClock.Instant] = [:]
    private var old: [Key: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - perSecond: tokens added to a bucket each second, above 0.
    ///   - burst: tokens that a full bucket holds, at least 1.
    ///   - capacity: buckets that are remembered at most, at least 2.
    package init(perSecond: Double, burst: Int, capacity: Int) {
        precondition(perSecond > 0 && burst >= 1 && capacity >= 2)
        interval = .nanoseconds(Int64.clamping(1e9 / perSecond))
        depth = interval * burst
        generationSize = capacity / 2
    }

    /// How many buckets are remembered.
    package var count: Int { young.count + old.count }

    /// Takes a token out of a bucket.
    ///
    /// - Returns: 0, or how long to wait for one when the bucket is empty; then nothing was taken.
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
