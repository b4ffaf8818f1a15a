import Primitives
import SharedState
import Synchronization

/// The hour's calls of the library, which replicas share, and the circuit breaker of this replica.
///
/// One call of the store grants a call of the library. It names the count that this replica knows of the hour, and the store
/// keeps the larger one. A store without any count was possibly emptied: it grants nothing for two seconds, in which every
/// replica reports what it knows, since each does so once a second. The hours are those of the store's clock.
final class CallBudget: Sendable {
    private struct State: Sendable {
        /// The breaker, and the last known state of the hour.
        var gate: UpstreamGate
        /// The last count of the store; the gate has the calls since then, too.
        var count = HourlyCount()
        /// Whether a probe has found a new hour of the library, and the store does not know it.
        var isRenewing = false
    }

    /// Nil if this process has a budget of its own.
    private let shared: SharedPhotos?
    private let clock: @Sendable () -> Instant
    private let state: Lock<State>

    static let key = SharedKey("calls")
    /// The right to the next probe, when the library's limit is exhausted.
    static let probe = SharedKey("probe")

    init(_ shared: SharedPhotos?, gate: UpstreamGate, now: @escaping @Sendable () -> Instant) {
        self.shared = shared
        clock = now
        state = Lock(State(gate: gate))
    }

    /// Admits a call, which must be followed by `leave`, or throws the error that prevents it.
    func enter(_ purpose: HourlyBudget.Purpose) async throws(UpstreamError) {
        if let refusal = state.withLock({ $0.gate.permit(now: clock()) }) { throw refusal }
        do throws(UpstreamError) {
            guard let shared else {
                let wait = state.withLock { $0.gate.budget.spend(for: purpose, now: clock()) }
                if let wait { throw .rateLimited(retryAfter: wait) }
                return
            }
            var grant = try await ask(shared, wanted: 1, for: purpose)
            if grant.hold > .zero {
                do { try await shared.pause(grant.hold) } catch { throw .cancelled }
                grant = try await ask(shared, wanted: 1, for: purpose)
            }
            if grant.granted > 0 { return }
            if grant.hold > .zero { throw .rateLimited(retryAfter: grant.hold) }
            if let wait = state.withLock({ $0.gate.budget.waitForProbe(purpose, now: clock()) }) {
                throw .rateLimited(retryAfter: wait)
            }
            try await probe(shared)
        } catch {
            // No call was made, so the breaker learns nothing.
            state.withLock { $0.gate.breaker.record(.silence, now: clock()) }
            throw error
        }
    }

    /// Takes the right to a probe, which one replica has at a time.
    private func probe(_ shared: SharedPhotos) async throws(UpstreamError) {
        let present: [UInt8]?
        do throws(SharedStateError) {
            let nonce = SharedPhotos.makeNonce()
            present = try await shared.store.claim(CallBudget.probe, nonce, timeToLive: HourlyBudget.probeInterval)
        } catch {
            throw error.forPhotos
        }
        guard present == nil else { throw .rateLimited(retryAfter: HourlyBudget.probeInterval) }
        state.withLock { $0.gate.budget.beginProbe(now: clock()) }
    }

    /// Reports the end of a call and the library's count, which the next grant passes on; returns the error for clients.
    @discardableResult
    func leave(_ error: UpstreamError?, remainingCalls: Int?) -> UpstreamError? {
        let now = clock()
        return state.withLock { state in
            let before = state.gate.budget.known(now: now)
            let error = state.gate.leave(error, remainingCalls: remainingCalls, now: now)
            let after = state.gate.budget.known(now: now)
            if after.used < before.used || (before.isRefused && !after.isRefused) { state.isRenewing = true }
            return error
        }
    }

    /// Reports once a second until the task is cancelled; returns at once if the budget is not shared.
    func follow() async {
        while let shared, !Task.isCancelled {
            await report()
            do { try await shared.pause(SharedPhotos.reportInterval) } catch { return }
        }
    }

    /// Reports what this replica knows, and learns what the others do; if that fails, the next grant does the same.
    func report() async {
        if let shared { _ = try? await ask(shared, wanted: 0, for: .client) }
    }

    /// Returns a result for the last known state and the present time; changes of the state are not kept.
    func known<Result>(_ body: (inout UpstreamGate, Instant) -> Result) -> Result {
        var gate = state.withLock(\.gate)
        return body(&gate, clock())
    }

    /// Asks the store for calls, and adopts the state of the hour.
    private func ask(
        _ shared: SharedPhotos,
        wanted: Int,
        for purpose: HourlyBudget.Purpose
    ) async throws(UpstreamError) -> Grant {
        let request = state.withLock { state in
            let known = state.gate.budget.known(now: clock())
            var count = state.count
            (count.used, count.isRefused) = (known.used, known.isRefused)
            var request = GrantRequest(known: count, wanted: wanted, limit: state.gate.budget.limit(for: purpose))
            (request.isRenewal, request.hold) = (state.isRenewing, shared.hold)
            return request
        }
        let grant: Grant
        do throws(SharedStateError) {
            grant = try await shared.store.grant(CallBudget.key, request)
        } catch {
            throw error.forPhotos
        }
        let now = clock()
        state.withLock { state in
            if request.isRenewal { state.isRenewing = false }
            let (count, last) = (grant.count, state.count)
            let known = state.gate.budget.known(now: now)
            // A later answer may have come first, and a probe may have ended meanwhile.
            let isLater = (count.hour, count.renewals) > (last.hour, last.renewals)
            let isSame = (count.hour, count.renewals) == (last.hour, last.renewals)
            let isMore = count.used >= known.used && (count.isRefused || !known.isRefused)
            guard isLater || isSame && isMore, !state.isRenewing else { return }
            state.count = count
            let hourEnds = now + .seconds(grant.secondsLeft)
            state.gate.budget.adopt(used: count.used, isRefused: count.isRefused, hourEnds: hourEnds, now: now)
        }
        return grant
    }
}
