package import Primitives

/// Remembers failures for seconds, so that equal requests do not repeat them.
package struct FailureMemory<Key: Hashable & Sendable>: Sendable {
    private struct Failure: Sendable {
        let error: UpstreamError
        let until: Instant
    }

    private var failures = BoundedCache<Key, Failure>(capacity: 4096)

    package init() {}

    /// The failure of a key, if it is still remembered.
    package mutating func failure(of key: Key, now: Instant) -> UpstreamError? {
        guard let failure = failures.value(for: key) else { return nil }
        if now < failure.until { return failure.error }
        failures.remove(key)
        return nil
    }

    /// Records the end of a fetch; `jitter` is 0 to 1.
    ///
    /// A missing photo is remembered for a minute, a failure for one to five seconds, so that clients do not retry at the
    /// same moment. Refusals by the gate or the memory budget are not remembered.
    package mutating func record(_ error: UpstreamError?, of key: Key, jitter: Double, now: Instant) {
        guard let error else { return failures.remove(key) }
        let time: Duration
        switch error {
        case .notFound, .invalidQuery: time = .seconds(60)
        case .refused, .failed, .invalid, .unusable, .timedOut, .imageRejected, .credentials:
            time = .milliseconds(1000 + Int.clamping(jitter * 4000))
        case .rateLimited, .overloaded, .unavailable, .storeUnavailable, .cancelled: return
        }
        failures.insert(Failure(error: error, until: now + time), for: key, cost: 1)
    }
}
