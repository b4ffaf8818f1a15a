import Primitives

/// Remembers failures for seconds, so that equal requests do not repeat them.
struct FailureMemory<Key: Hashable & Sendable>: Sendable {
    private var failures = BoundedCache<Key, (error: UpstreamError, until: Instant)>(capacity: 4096)

    /// The failure of a key, if it is still remembered.
    mutating func failure(of key: Key, now: Instant) -> UpstreamError? {
        failures.value(for: key).flatMap { now < $0.until ? $0.error : nil }
    }

    /// Records the failure of a fetch; `random` is any number.
    ///
    /// A missing photo is remembered for a minute, a failure for one to five seconds, so that clients do not retry at the
    /// same moment. Refusals by the gate or the memory budget are not remembered.
    mutating func record(_ error: UpstreamError, of key: Key, random: UInt64, now: Instant) {
        let time: Duration
        switch error {
        case .notFound, .invalidQuery: time = .seconds(60)
        case .refused, .failed, .invalid, .unusable, .timedOut, .imageRejected, .credentials:
            time = .milliseconds(1000 + random % 4000)
        case .rateLimited, .overloaded, .unavailable, .storeUnavailable, .cancelled, .counted: return
        }
        failures.insert((error, now + time), for: key, cost: 1)
    }
}
