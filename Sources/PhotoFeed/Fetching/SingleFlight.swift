/// One fetch for everybody who wants the same thing, as a state machine: who joins, who starts, who has left, and when
/// a fetch is stopped.
///
/// Three rules, each of them a bug that others shipped:
/// - A waiter that leaves takes nobody along, the one that began the fetch included (buildbuddy #7199, trufflehog
///   #4314).
/// - The key stays taken for as long as the fetch is worth joining, so that a second one cannot start beside it
///   (janos/singleflight #4).
/// - A fetch leaves the table *before* it is cancelled, so that whoever comes next starts afresh and never inherits
///   somebody else's cancellation (tailscale #18919).
///
/// It performs nothing. Whoever drives it starts, cancels and wakes, outside any lock.
package struct SingleFlight<Key: Hashable & Sendable>: Sendable {
    /// Names a fetch for its whole life; never used twice.
    package typealias Flight = UInt64
    package typealias Waiter = UInt64

    private struct Entry {
        let key: Key
        var waiters: Set<Waiter> = []
        /// Goes on though nobody waits: revalidation, prefetch.
        var keepsGoing: Bool
        /// Grows with every departure of a last waiter, so that an older linger's end means nothing.
        var linger: UInt64 = 0
    }

    private var byKey: [Key: Flight] = [:]
    private var flights: [Flight: Entry] = [:]
    private var flightOf: [Waiter: Flight] = [:]
    private var lastFlight: Flight = 0
    private var lastWaiter: Waiter = 0

    package init() {}

    package var isEmpty: Bool { flights.isEmpty }
    package var count: Int { flights.count }

    package enum Joined: Sendable, Equatable {
        /// Nobody fetches this yet: start.
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

    /// Somebody wants `key` and waits for it.
    package mutating func join(_ key: Key) -> Joined {
        lastWaiter += 1
        let waiter = lastWaiter
        if let flight = byKey[key] {
            flights[flight]?.waiters.insert(waiter)
            flightOf[waiter] = flight
            return .joins(flight, waiter)
        }
        let flight = begin(key, keepsGoing: false)
        flights[flight]?.waiters.insert(waiter)
        flightOf[waiter] = flight
        return .starts(flight, waiter)
    }

    /// `key` is wanted though nobody waits; nil when it is being fetched already, and then that fetch goes on to its
    /// end.
    package mutating func want(_ key: Key) -> Flight? {
        if let flight = byKey[key] {
            flights[flight]?.keepsGoing = true
            return nil
        }
        return begin(key, keepsGoing: true)
    }

    package enum Left: Sendable, Equatable {
        /// Others wait, or the fetch has ended already.
        case nothing
        /// That was the last one: say `lingered` after the linger.
        case lingers(Flight, UInt64)
    }

    /// A waiter has left.
    package mutating func leave(_ waiter: Waiter) -> Left {
        guard let flight = flightOf.removeValue(forKey: waiter), var entry = flights[flight] else { return .nothing }
        entry.waiters.remove(waiter)
        defer { flights[flight] = entry }
        guard entry.waiters.isEmpty, !entry.keepsGoing else { return .nothing }
        entry.linger += 1
        return .lingers(flight, entry.linger)
    }

    /// The linger is over.
    ///
    /// True when the fetch is to be cancelled; it is out of the table by then.
    package mutating func lingered(_ flight: Flight, _ linger: UInt64) -> Bool {
        guard let entry = flights[flight], entry.linger == linger, entry.waiters.isEmpty, !entry.keepsGoing else {
            return false
        }
        remove(flight, entry.key)
        return true
    }

    /// The fetch has ended: these waited for it.
    ///
    /// Empty when it had been cancelled.
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
