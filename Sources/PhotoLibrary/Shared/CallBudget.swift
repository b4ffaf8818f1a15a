package import Primitives
import SharedState
import Synchronization

/// Admits the calls of the library: the hour's budget, which replicas share, and the circuit breaker of this replica.
///
/// With a store, one call of it counts a call of the library. It names the count that this replica knows, and the store keeps
/// the larger one: a store that was emptied has the count again with the next call of a replica that knows it. The hours are
/// those of the store's clock then.
package final class CallBudget: Sendable {
    private struct State: Sendable {
        var hour: HourlyBudget
        var breaker = CircuitBreaker()
        /// Whether the library has refused the key.
        var isLockedOut = false

        /// Admits a call, or returns the error that prevents it; without a store the call is counted at once.
        ///
        /// The store is asked even if no call is left: so it has the count again after it was emptied.
        mutating func admit(_ purpose: HourlyBudget.Purpose, hasStore: Bool, now: Instant) -> UpstreamError? {
            if let wait = hour.wait(for: purpose, byLibrary: hasStore, now: now) {
                return .rateLimited(retryAfter: wait)
            }
            if let wait = breaker.permit(now: now) { return .unavailable(retryAfter: wait) }
            if !hasStore { hour.count(now: now) }
            return nil
        }
    }

    /// Nil if this process has a budget of its own.
    private let store: (any SharedStore)?
    private let now: @Sendable () -> Instant
    private let state: Lock<State>

    static let key = "calls2"

    /// Allows `limit` calls an hour, at least 1; without a store the first hour ends at `hourEnds`.
    init(_ store: (any SharedStore)?, limit: Int, hourEnds: Instant, now: @escaping @Sendable () -> Instant) {
        self.store = store
        self.now = now
        state = Lock(State(hour: HourlyBudget(limit: limit, ends: hourEnds)))
    }

    /// Admits a call, which must be followed by `leave`, or throws the error that prevents it.
    func enter(_ purpose: HourlyBudget.Purpose) async throws(UpstreamError) {
        let refusal = state.withLock { $0.admit(purpose, hasStore: store != nil, now: now()) }
        if let refusal { throw refusal }
        guard let store else { return }
        do throws(UpstreamError) {
            let (known, limit) = state.withLock { ($0.hour.known(now: now()), $0.hour.limit(for: purpose)) }
            let call: CountedCall
            do throws(SharedStateError) {
                call = try await store.count(CallBudget.key, known: known, limit: limit)
            } catch {
                throw error.forPhotos
            }
            state.withLock { $0.hour.adopt(call, now: now()) }
            guard call.isAllowed else { throw .rateLimited(retryAfter: .seconds(call.secondsLeft)) }
        } catch {
            // No call was made, so the breaker learns nothing.
            state.withLock { $0.breaker.record(.unknown, now: now()) }
            throw error
        }
    }

    /// Reports the end of a call, and the library's count; returns the error for clients.
    @discardableResult
    func leave(_ error: UpstreamError?, remainingCalls: Int?) -> UpstreamError? {
        state.withLock { state in
            let health = error?.health ?? .answer
            state.breaker.record(health, now: now())
            guard health == .answer else { return error }
            state.isLockedOut = error == .credentials
            if case .rateLimited(let retryAfter) = error {
                return .rateLimited(retryAfter: state.hour.pause(for: retryAfter, now: now()))
            }
            if let remainingCalls, error != .credentials { state.hour.observe(remaining: remainingCalls, now: now()) }
            return error
        }
    }

    /// Whether the library works, as far as the last calls have shown.
    package var condition: CircuitBreaker.Condition {
        state.withLock { $0.isLockedOut ? .down : $0.breaker.condition }
    }

    /// The hour at present, as this replica knows it.
    package var hour: HourlyBudget {
        state.withLock { state in
            state.hour.roll(to: now())
            return state.hour
        }
    }

    /// The time until background work is allowed; nil if it is now.
    package var waitForBackground: Duration? { state.withLock { $0.hour.wait(for: .background, now: now()) } }
}

/// The calls of a clock hour: their count, the library's own count, and a pause after a refusal.
///
/// The library says with every answer how many calls are left (`X-Ratelimit-Remaining`). This corrects the budget only
/// downwards, because the library's edge repeats stored values. After a refusal, and when none is left, nothing is sent for
/// the time that the library names, else for a minute: its hour may end at another time. A share is reserved for requests of
/// clients; revalidation and prefetch may not use it.
package struct HourlyBudget: Sendable {
    package enum Purpose: Sendable {
        /// A client waits for the answer.
        case client
        /// Revalidation and prefetch.
        case background
    }

    package let limit: Int
    /// The calls, as far as this replica knows.
    private var made = HourlyCount()
    private var ends: Instant
    /// The calls left according to the library; nil if it has not said.
    private var left: Int?
    private var pauseEnds: Instant?

    private static let hour = Duration.seconds(3600)
    static let pause = Duration.seconds(60)

    /// Allows `limit` calls an hour, at least 1; the first hour ends at `ends`.
    init(limit: Int, ends: Instant) {
        precondition(limit >= 1)
        self.limit = limit
        self.ends = ends
    }

    /// The most calls of the hour for a purpose: four fifths are reserved for requests of clients.
    func limit(for purpose: Purpose) -> Int { purpose == .client ? limit : limit - limit * 4 / 5 }

    /// The time until a call is allowed; nil if it is now.
    ///
    /// With `byLibrary`, the library's count alone decides.
    mutating func wait(for purpose: Purpose, byLibrary: Bool = false, now: Instant) -> Duration? {
        roll(to: now)
        if (byLibrary ? usedByLibrary : used) >= limit(for: purpose) { return ends - now }
        return pauseEnds.map { $0 - now }
    }

    /// Counts a call.
    mutating func count(now: Instant) {
        made.used += 1
        if let left { observe(remaining: left - 1, now: now) }
    }

    /// The count that this replica knows, for the store.
    mutating func known(now: Instant) -> HourlyCount {
        roll(to: now)
        return made
    }

    /// Adopts the state of the hour that the store has, with a call that it has counted; replies may come out of order.
    mutating func adopt(_ call: CountedCall, now: Instant) {
        roll(to: now)
        if call.count.hour > made.hour {
            self = HourlyBudget(limit: limit, ends: now + .seconds(call.secondsLeft))
            made = call.count
        } else if call.count.hour == made.hour {
            made.used = max(made.used, call.count.used)
            if call.isAllowed, let left { observe(remaining: left - 1, now: now) }
        }
    }

    /// Records the count in an answer of the library.
    mutating func observe(remaining: Int, now: Instant) {
        roll(to: now)
        let least = max(0, min(left ?? remaining, remaining))
        left = least
        if least == 0 { pause(for: HourlyBudget.pause, now: now) }
    }

    /// Sends nothing for a time, at most until the end of the hour; returns the time until then.
    ///
    /// A longer pause goes on: answers come in another order than their calls.
    @discardableResult
    mutating func pause(for time: Duration, now: Instant) -> Duration {
        roll(to: now)
        let end = max(pauseEnds ?? now, min(now + time, ends))
        pauseEnds = end
        left = nil
        return end - now
    }

    /// The calls left at the time of the last `roll`.
    package var remaining: Int { pauseEnds == nil ? max(0, limit - used) : 0 }

    package func untilReset(now: Instant) -> Duration { ends - now }

    /// Ends an hour and a pause that are over.
    mutating func roll(to now: Instant) {
        if let end = pauseEnds, now >= end { pauseEnds = nil }
        guard now >= ends else { return }
        let hours = (now - ends).components.seconds / 3600 + 1
        self = HourlyBudget(limit: limit, ends: ends + HourlyBudget.hour * hours)
    }

    private var used: Int { max(made.used, usedByLibrary) }

    private var usedByLibrary: Int { limit - (left ?? limit) }
}
