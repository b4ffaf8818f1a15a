import Logging
import PhotoFeed
import Primitives
import SharedState
import Synchronization

// The calls of an hour and the circuit breaker, for all replicas together.
//
// The state is one value of the store. A replica decides on its copy, and the store compares the version of the copy
// when it stores the next state: one round trip grants a call. If another replica came first, the store returns its
// state, and the replica decides again. A refusal needs the present state, so it follows a read or a write.
//
// If the store has lost the value, the next replica that needs it creates it with the calls that it knows of. All others
// learn of the write after the creation. One that knows of more calls in this hour writes its count. So the count becomes
// the largest that a running replica knows. Only calls that are granted before that are possibly beyond the limit: those in
// flight while the store is emptied, and those of a replica that has missed messages.
//
// Requests and reports that arrive during a round trip are decided together in the next one. A task of this object
// makes the round trips, so a client that leaves does not interrupt one.

/// The hour's budget of calls and the circuit breaker that replicas share.
final class SharedBudget: Sendable {
    private typealias Copy = StoredBudget.Copy

    /// A request for a call, and its answer: nil grants it.
    private struct Order: Sendable {
        let purpose: HourlyBudget.Purpose
        let answer: PendingResult<UpstreamError?>
    }

    /// The end of a call.
    private struct Report: Sendable {
        let error: UpstreamError?
        let rateLimit: UpstreamRateLimit?
        let time: ContinuousClock.Instant
    }

    /// The requests and reports that are decided together.
    private struct Turn: Sendable {
        var orders: [Order] = []
        var reports: [Report] = []
    }

    private struct State: Sendable {
        var copy: Copy?
        var orders: [Order] = []
        /// Those that the store does not have, the oldest first.
        var reports: [Report] = []
        /// Whether there is a reason for a turn without an order.
        var isDue = false
        var isRunning = false
        var lastRun = 0

        mutating func nextTurn() -> Turn? {
            guard isDue || !orders.isEmpty else {
                isRunning = false
                return nil
            }
            defer { (orders, reports, isDue) = ([], [], false) }
            return Turn(orders: orders, reports: reports)
        }
    }

    private let engine: any SharedEngine
    private let makeNonce: @Sendable () -> UInt64
    private let store: StoredBudget
    private let state = Mutex(State())
    private let runs = Flights<Int, Void, Void>()
    private let watch = Mutex<SharedWatch?>(nil)
    private let conflictCount = Atomic(0)

    /// The most attempts to write a state: other replicas came first at each of them.
    private static let attempts = 100
    /// The most reports that are kept while the store is away.
    private static let mostReports = 1000

    /// - Parameters:
    ///   - engine: the shared store.
    ///   - limit: the calls of an hour, at least 1.
    ///   - makeNonce: makes random numbers, by which a replica recognises its writes.
    ///   - logger: gets the states that cannot be read.
    init(
        engine: any SharedEngine,
        limit: Int,
        makeNonce: @escaping @Sendable () -> UInt64,
        logger: Logger
    ) {
        self.engine = engine
        self.makeNonce = makeNonce
        store = StoredBudget(engine: engine, limit: limit, origin: .now, logger: logger)
        let watch = engine.watch(StoredBudget.key) { [weak self] event in self?.receive(event) }
        self.watch.withLock { $0 = watch }
    }

    /// Ends the round trips; later calls are not granted.
    func stop() async {
        if let watch = watch.withLock({ $0.take() }) { engine.unwatch(watch) }
        await runs.stop()
    }

    /// The writes that were decided again because another replica had written.
    var conflicts: Int { conflictCount.load(ordering: .relaxed) }

    /// The states that could not be read.
    var unreadable: Int { store.unreadable }

    /// The number of the last task that took turns; nil while it runs.
    ///
    /// Without a running task the store has everything that this replica has to report, or is away.
    var lastRun: Int? { state.withLock { $0.isRunning ? nil : $0.lastRun } }

    // MARK: Calls

    /// Admits a call, which must be followed by `leave`.
    ///
    /// - Throws: the error that prevents the call: `storeUnavailable` if the store did not grant it.
    func enter(_ purpose: HourlyBudget.Purpose) async throws(UpstreamError) {
        let answer = PendingResult<UpstreamError?>()
        state.withLock { $0.orders.append(Order(purpose: purpose, answer: answer)) }
        run()
        if let refusal = await answer.value(cancelled: .cancelled) { throw refusal }
    }

    /// Reports the end of a call, and the library's count; the store gets the report soon afterwards.
    ///
    /// - Returns: the error for clients.
    func leave(_ error: UpstreamError?, rateLimit: UpstreamRateLimit?) -> UpstreamError? {
        let report = Report(error: error, rateLimit: rateLimit, time: store.now)
        let told = withKnown { gate, now in gate.leave(error, rateLimit: rateLimit, now: now) }
        state.withLock { state in
            state.reports.append(report)
            state.isDue = true
        }
        run()
        return told
    }

    /// Calls a function with the last known state and the time; changes are not kept.
    func withKnown<Result>(_ body: (inout UpstreamGate, ContinuousClock.Instant) -> Result) -> Result {
        let now = store.now
        var gate = state.withLock(\.copy)?.gate ?? store.fresh(now)
        gate.bound(now: now)
        return body(&gate, now)
    }

    // MARK: Turns

    /// Starts the task that takes the turns, unless it runs.
    private func run() {
        let number = state.withLock { state -> Int? in
            guard !state.isRunning else { return nil }
            state.isRunning = true
            state.lastRun += 1
            return state.lastRun
        }
        guard let number, !runs.want(number, fetch: { [self] in await takeTurns() }) else { return }
        // The service stops.
        let orders = state.withLock { state in
            state.isRunning = false
            defer { state.orders = [] }
            return state.orders
        }
        for order in orders { order.answer.deliver(.cancelled) }
    }

    private func takeTurns() async {
        while let turn = state.withLock({ $0.nextTurn() }) {
            do throws(UpstreamError) {
                let answers = try await decide(turn)
                for (order, answer) in zip(turn.orders, answers) where !order.answer.deliver(answer) {
                    // The request has ended, so the call that was granted to it is not made.
                    if answer == nil { _ = leave(.cancelled, rateLimit: nil) }
                }
            } catch {
                state.withLock { state in
                    state.reports = Array((turn.reports + state.reports).suffix(SharedBudget.mostReports))
                }
                for order in turn.orders { order.answer.deliver(error) }
            }
        }
    }

    /// Decides on a turn and stores the result; returns the answers to its orders.
    private func decide(_ turn: Turn) async throws(UpstreamError) -> [UpstreamError?] {
        let known = state.withLock(\.copy)
        var base = if let known { known } else { try await store.read(after: nil) }
        var isPresent = known == nil
        var isAnnounced = true
        for _ in 0..<SharedBudget.attempts {
            let now = store.now
            var gate = base.gate
            gate.bound(now: now)
            guard let stored = base.stored else {
                // Watchers do not learn of a creation, so it grants nothing. The write after it is one that they get.
                let value = SharedValue(.first(nonce: makeNonce()), store.bytes(of: gate))
                base = try await outcome(of: value, gate, over: nil, after: known)
                isPresent = true
                isAnnounced = base.stored?.version != value.version
                continue
            }
            for report in turn.reports {
                gate.leave(report.error, rateLimit: report.rateLimit, at: report.time, now: now)
            }
            let answers = turn.orders.map { gate.enter($0.purpose, now: now) }
            let bytes = store.bytes(of: gate)
            if stored.bytes == bytes, isAnnounced {
                if isPresent {
                    keep(base, after: known)
                    return answers
                }
                base = try await store.read(after: known)
                isPresent = true
                continue
            }
            let value = SharedValue(stored.version.next(nonce: makeNonce()), bytes)
            base = try await outcome(of: value, gate, over: base, after: known)
            if base.stored?.version == value.version {
                keep(base, after: known)
                return answers
            }
            isPresent = true
            isAnnounced = true
        }
        throw .storeUnavailable
    }

    /// Writes a state over the one of a copy, or as the first one; returns the state that the store has then.
    private func outcome(
        of value: SharedValue,
        _ gate: UpstreamGate,
        over base: Copy?,
        after known: Copy?
    ) async throws(UpstreamError) -> Copy {
        switch try await store.write(value, over: base?.stored?.version) {
        case .done: return Copy(gate: gate, stored: (value.version, Array(value.content)))
        case .conflict(let present):
            conflictCount.add(1, ordering: .relaxed)
            return try store.decode(present, after: known)
        case .missing: return Copy(gate: base?.gate ?? gate)
        }
    }

    /// Keeps the result of a turn that began with `known`.
    ///
    /// Another replica's state that arrived during the turn stays if it is a later one. If neither follows the other, the
    /// next turn reads the store.
    private func keep(_ copy: Copy, after known: Copy?) {
        state.withLock { state in
            let arrived = state.copy
            state.copy = copy
            guard let arrived, arrived.stored?.version != known?.stored?.version,
                arrived.stored?.version != copy.stored?.version, !copy.follows(arrived)
            else { return }
            if arrived.follows(copy) { state.copy = arrived } else { state.isDue = true }
        }
    }

    /// Keeps the states that other replicas write, so that the first decision on the copy usually stands.
    ///
    /// A state that does not follow the copy is an old one, or the store has lost writes. The next turn reads the store,
    /// and restores the calls that this replica knows of.
    private func receive(_ event: SharedEvent) {
        var isDue = false
        switch event {
        case .ready: isDue = true
        case .written(let bytes):
            guard let value = SharedValue(stored: bytes), let copy = try? store.decode(value, after: nil) else {
                return
            }
            isDue = state.withLock { state in
                guard let known = state.copy, !copy.follows(known) else {
                    state.copy = copy
                    return false
                }
                return copy.stored?.version != known.stored?.version
            }
        case .deleted: return
        }
        guard isDue else { return }
        state.withLock { $0.isDue = true }
        run()
    }
}
