import Synchronization

/// Fetches with waiters: performs what `SingleFlight` decides.
///
/// A fetch belongs to everybody who waits for it, so it cannot be a child of any one of them: it runs in a task of its
/// own, which this table keeps, cancels when nobody waits any more, and ends with `stop`. Together with the one in the
/// HTTP bridge these are the only tasks that are not somebody's children.
package final class Flights<Key: Hashable & Sendable, Progress: Sendable, Value: Sendable>: Sendable {
    package typealias Fetch = @Sendable (Progress) async throws -> Value
    private typealias Machine = SingleFlight<Key>
    private typealias Continuation = CheckedContinuation<Value, any Error>

    private struct Flight {
        let task: Task<Void, Never>
        let progress: Progress
    }

    private struct State {
        var machine = Machine()
        var flights: [Machine.Flight: Flight] = [:]
        /// Everybody between joining and going on.
        var waiters: [Machine.Waiter: Waiter] = [:]
        var isStopped = false
        var abandoned = 0

        /// Settles a waiter once: gives its continuation if it sleeps already, leaves word for it if it does not yet.
        mutating func settle(_ waiter: Machine.Waiter, _ result: Result<Value, any Error>) -> Continuation? {
            switch waiters[waiter] {
            case .suspended(let continuation):
                waiters[waiter] = nil
                return continuation
            case .joined:
                waiters[waiter] = .settled(result)
                return nil
            case .settled, nil:
                return nil
            }
        }
    }

    /// Joining and suspending are two steps; the answer or the departure may come between them.
    private enum Waiter {
        case joined
        case suspended(Continuation)
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State())
    private let linger: Duration
    private let clock: any Clock<Duration>

    /// A table whose fetches go on for `linger` when nobody waits, in case their client comes right back.
    package init(linger: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock()) {
        self.linger = linger
        self.clock = clock
    }

    /// How many fetches are running.
    package var count: Int { state.withLock { $0.machine.count } }

    /// How many wait, for all of them together.
    package var waiters: Int { state.withLock { $0.waiters.count } }

    /// How many fetches were cancelled so far because nobody waited any more.
    package var abandoned: Int { state.withLock(\.abandoned) }

    /// A place among those who wait for a fetch: it ends with `value(of:)`, or with `release`.
    package struct Hold: Sendable {
        /// What the fetch shows while it runs.
        package let progress: Progress
        /// Somebody else had started the fetch.
        package let isCollapsed: Bool
        fileprivate let waiter: UInt64
    }

    /// Joins the fetch of `key` that is running, else starts one.
    ///
    /// - Throws: `CancellationError` after `stop`.
    package func join(
        _ key: Key,
        _ progress: @autoclosure () -> Progress,
        fetch: @escaping Fetch
    ) throws(CancellationError) -> Hold {
        let new = progress()
        return try state.withLock { state throws(CancellationError) in
            if state.isStopped { throw CancellationError() }
            let joined = state.machine.join(key)
            state.waiters[joined.waiter] = .joined
            if case .starts(let flight, let waiter) = joined {
                state.flights[flight] = Flight(task: task(for: flight, new, fetch), progress: new)
                return Hold(progress: new, isCollapsed: false, waiter: waiter)
            }
            // A flight that can be joined is in both tables: the machine and this one drop it in the same step.
            guard let flight = state.flights[joined.flight] else { preconditionFailure("a flight without a task") }
            return Hold(progress: flight.progress, isCollapsed: true, waiter: joined.waiter)
        }
    }

    /// Waits for the end of a fetch that was joined.
    ///
    /// - Throws: what the fetch throws, or `CancellationError` at once when the caller's task is cancelled.
    package func value(of hold: Hold) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { suspend(hold.waiter, $0) }
        } onCancel: {
            leave(hold.waiter)
        }
    }

    /// Gives up a place without waiting for the end.
    package func release(_ hold: Hold) {
        let left = state.withLock { state in
            state.waiters[hold.waiter] = nil
            return state.machine.leave(hold.waiter)
        }
        lingerIfLast(left)
    }

    /// Fetches `key` to the end though nobody waits.
    ///
    /// False when that is under way already.
    @discardableResult
    package func want(_ key: Key, _ progress: @autoclosure () -> Progress, fetch: @escaping Fetch) -> Bool {
        let new = progress()
        return state.withLock { state in
            guard !state.isStopped, let flight = state.machine.want(key) else { return false }
            state.flights[flight] = Flight(task: task(for: flight, new, fetch), progress: new)
            return true
        }
    }

    /// Cancels every fetch and waits until all have ended; later calls are refused with `CancellationError`.
    package func stop() async {
        let flights = state.withLock { state in
            state.isStopped = true
            return Array(state.flights.values)
        }
        for flight in flights { flight.task.cancel() }
        for flight in flights { await flight.task.value }
    }

    /// The fetch in a task.
    ///
    /// Made under the lock, so that it is in the table before it can end: its first act on the table waits for that
    /// lock.
    private func task(for flight: Machine.Flight, _ progress: Progress, _ fetch: @escaping Fetch) -> Task<Void, Never> {
        Task {
            do {
                finish(flight, .success(try await fetch(progress)))
            } catch {
                finish(flight, .failure(error))
            }
        }
    }

    private func suspend(_ waiter: Machine.Waiter, _ continuation: Continuation) {
        let settled: Result<Value, any Error>? = state.withLock { state in
            if case .settled(let result) = state.waiters[waiter] {
                state.waiters[waiter] = nil
                return result
            }
            state.waiters[waiter] = .suspended(continuation)
            return nil
        }
        if let settled { continuation.resume(with: settled) }
    }

    private func finish(_ flight: Machine.Flight, _ result: Result<Value, any Error>) {
        let continuations = state.withLock { state in
            state.flights[flight] = nil
            let waiters = state.machine.finished(flight)
            return waiters.compactMap { state.settle($0, result) }
        }
        for continuation in continuations { continuation.resume(with: result) }
    }

    private func leave(_ waiter: Machine.Waiter) {
        let gone = Result<Value, any Error>.failure(CancellationError())
        let (continuation, left) = state.withLock { state in
            let left = state.machine.leave(waiter)
            return (state.settle(waiter, gone), left)
        }
        continuation?.resume(with: gone)
        lingerIfLast(left)
    }

    private func lingerIfLast(_ left: Machine.Left) {
        guard case .lingers(let flight, let number) = left else { return }
        Task { [linger, clock] in
            try? await clock.sleep(for: linger)
            endLinger(flight, number)
        }
    }

    private func endLinger(_ flight: Machine.Flight, _ number: UInt64) {
        let task = state.withLock { state in
            guard state.machine.lingered(flight, number) else { return nil as Task<Void, Never>? }
            state.abandoned += 1
            return state.flights[flight]?.task
        }
        task?.cancel()
    }
}

/// For fetches that show nothing while they run.
extension Flights where Progress == Void {
    /// How an answer was come by.
    package struct Outcome: Sendable {
        package let value: Value
        /// Somebody else had started the fetch.
        package let collapsed: Bool
    }

    /// The value for `key`: from the fetch that is running, else from a new one.
    ///
    /// - Throws: what `fetch` throws, or `CancellationError` at once when the caller's task is cancelled.
    package func value(for key: Key, fetch: @escaping @Sendable () async throws -> Value) async throws -> Outcome {
        let hold = try join(key, ()) { try await fetch() }
        return Outcome(value: try await value(of: hold), collapsed: hold.isCollapsed)
    }

    /// Fetches `key` to the end though nobody waits.
    ///
    /// False when that is under way already.
    @discardableResult
    package func want(_ key: Key, fetch: @escaping @Sendable () async throws -> Value) -> Bool {
        want(key, ()) { try await fetch() }
    }
}
