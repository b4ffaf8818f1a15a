/// The state machine of coalesced fetches: equal requests share one fetch.
///
/// It decides when a fetch starts, which callers wait for it, and when it is cancelled. Three rules, each of them a bug
/// of other implementations:
/// - A caller that leaves does not end the fetch for the others, even if it started the fetch (buildbuddy #7199,
///   trufflehog #4314).
/// - The key stays in the table as long as the fetch can be joined, so that no second fetch starts beside it
///   (janos/singleflight #4).
/// - A fetch leaves the table *before* it is cancelled, so that the next caller starts a new one and never receives the
///   cancellation of another caller (tailscale #18919).
///
/// It performs nothing: `Flights` starts, cancels and resumes, outside any lock.
package struct SingleFlight<Key: Hashable & Sendable>: Sendable {
    /// Identifies a fetch; never reused.
    package typealias Flight = UInt64
    /// Identifies a waiting caller; never reused.
    package typealias Waiter = UInt64

    private struct Entry {
        let key: Key
        var waiters: Set<Waiter> = []
        /// Continues without waiters: a revalidation or a prefetch.
        var keepsGoing: Bool
        /// The number of times that the last waiter left, so that the end of an older linger is ignored.
        var linger: UInt64 = 0
    }

    private var byKey: [Key: Flight] = [:]
    private var flights: [Flight: Entry] = [:]
    private var flightOf: [Waiter: Flight] = [:]
    private var lastFlight: Flight = 0
    private var lastWaiter: Waiter = 0

    package init() {}

    package var count: Int { flights.count }

    /// Returns whether `join` would start a fetch.
    package func isNew(_ key: Key) -> Bool { byKey[key] == nil }

    /// The result of `join`.
    package enum Joined: Sendable, Equatable {
        /// No fetch of the key runs: start one.
        case starts(Flight, Waiter)
        case joins(Flight, Waiter)

        package var flight: Flight {
            switch self {
            case .starts(let flight, _), .joins(let flight, _): flight
            }
        }

        package var waiter: Waiter {
            switch self {
            case .starts(_, let waiter), .joins(_, let waiter): waiter
            }
        }
    }

    /// Adds a caller that waits for a key.
    package mutating func join(_ key: Key) -> Joined {
        lastWaiter += 1
        let waiter = lastWaiter
        let running = byKey[key]
        let flight = running ?? begin(key, keepsGoing: false)
        flights[flight]?.waiters.insert(waiter)
        flightOf[waiter] = flight
        return running == nil ? .starts(flight, waiter) : .joins(flight, waiter)
    }

    /// Starts a fetch that continues without waiters.
    ///
    /// - Returns: nil if a fetch of the key runs already; that one then continues without waiters.
    package mutating func want(_ key: Key) -> Flight? {
        if let flight = byKey[key] {
            flights[flight]?.keepsGoing = true
            return nil
        }
        return begin(key, keepsGoing: true)
    }

    /// The result of `leave`.
    package enum Left: Sendable, Equatable {
        /// Others wait, or the fetch has ended.
        case nothing
        /// The caller was the last one: call `lingered` with these numbers after the linger.
        case lingers(Flight, UInt64)
    }

    /// Removes a caller.
    package mutating func leave(_ waiter: Waiter) -> Left {
        guard let flight = flightOf.removeValue(forKey: waiter), var entry = flights[flight] else { return .nothing }
        entry.waiters.remove(waiter)
        defer { flights[flight] = entry }
        guard entry.waiters.isEmpty, !entry.keepsGoing else { return .nothing }
        entry.linger += 1
        return .lingers(flight, entry.linger)
    }

    /// Removes a fetch from the table if no caller has joined it during the linger.
    ///
    /// - Returns: whether the fetch has to be cancelled.
    package mutating func lingered(_ flight: Flight, _ linger: UInt64) -> Bool {
        guard let entry = flights[flight], entry.linger == linger, entry.waiters.isEmpty, !entry.keepsGoing else {
            return false
        }
        remove(flight, entry.key)
        return true
    }

    /// Removes a fetch that has ended.
    ///
    /// - Returns: the callers that wait for it; none if it was cancelled.
    package mutating func finished(_ flight: Flight) -> Set<Waiter> {
        guard let entry = flights[flight] else { return [] }
        remove(flight, entry.key)
        for waiter in entry.waiters { flightOf[waiter] = nil }
        return entry.waiters
    }

    private mutating func begin(_ key: Key, keepsGoing: Bool) -> Flight {
        lastFlight += 1
        byKey[key] = lastFlight
        flights[lastFlight] = Entry(key: key, keepsGoing: keepsGoing)
        return lastFlight
    }

    private mutating func remove(_ flight: Flight, _ key: Key) {
        flights[flight] = nil
        byKey[key] = nil
    }
}
