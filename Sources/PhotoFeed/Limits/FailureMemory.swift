import Primitives

/// Remembers failures for a moment, so that a thousand clients do not each find out for themselves.
package struct FailureMemory<Key: Hashable & Sendable>: Sendable {
    private struct Failure: Sendable {
        let error: UpstreamError
        let until: ContinuousClock.Instant
    }

    private var failures = BoundedCache<Key, Failure>(capacity: 4096)

    package init() {}

    /// The failure of this key, if it is still remembered.
    package mutating func failure(of key: Key, now: ContinuousClock.Instant) -> UpstreamError? {
        guard let failure = failures.value(for: key) else { return nil }
        if now < failure.until { return failure.error }
        failures.remove(key)
        return nil
    }

    /// Notes how a fetch of this key ended; `jitter` is 0 to 1.
    ///
    /// What is not there is remembered for a minute. A failure is for one to five seconds, by chance, so that not
    /// everybody comes back at the same moment. Refusals that the gate or the memory budget keeps
    /// count of are not remembered here.
    package mutating func note(_ error: UpstreamError?, of key: Key, jitter: Double, now: ContinuousClock.Instant) {
        switch error {
        case .notFound, .invalidQuery:
            keep(key, error, for: .seconds(60), now)
        case .refused, .failed, .invalid, .unusable, .timedOut, .imageRejected, .credentials:
            keep(key, error, for: .milliseconds(1000 + Int.clamping(jitter * 4000)), now)
        case .rateLimited, .overloaded, .unavailable, .cancelled: break
        case nil: failures.remove(key)
        }
    }

    private mutating func keep(_ key: Key, _ error: UpstreamError?, for time: Duration, _ now: ContinuousClock.Instant)
    {
        guard let error else { return }
        failures.insert(Failure(error: error, until: now + time), for: key, cost: 1)
    }
}
