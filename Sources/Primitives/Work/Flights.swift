import Synchronization

/// Coalesces equal requests: performs the decisions of `SingleFlight`.
///
/// A fetch is shared by all its waiters, so it cannot be a child task of one of them. It runs in an unstructured task,
/// which this table keeps, cancels when the last waiter leaves, and ends with `stop`.
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
        /// The callers from joining to resuming.
        var waiters: [Machine.Waiter: WaiterState] = [:]
        var isStopped = false
        var abandoned = 0

        /// Settles a waiter once: returns its continuation if it is suspended, otherwise keeps the result.
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

    /// Joining and suspending are two steps; the result or a cancellation may arrive between them.
    private enum WaiterState {
        case joined
        case suspended(Continuation)
        case settled(Result<Value, any Error>)
    }

    private let state = Lock(State())
    private let linger: Duration
    private let clock: any Clock<Duration>

    /// Creates a table whose fetches continue for `linger` without waiters, in case the client retries at once.
    package init(linger: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock()) {
        self.linger = linger
        self.clock = clock
    }

    /// The number of fetches that run and can be joined.
    package var count: Int { state.withLock { $0.machine.count } }

    /// The number of callers that wait, for all fetches together.
    package var waiters: Int { state.withLock { $0.waiters.count } }

    /// The number of fetches cancelled so far because their last waiter had left.
    package var abandoned: Int { state.withLock(\.abandoned) }

    /// A caller that has joined a fetch; it ends with `value(of:)` or with `release`.
    package struct Waiter: Sendable {
        /// The object through which the fetch reports its progress.
        package let progress: Progress
        /// Whether another caller had started the fetch.
        package let isCollapsed: Bool
        fileprivate let number: UInt64
    }

    /// Joins the fetch of `key` that is running, else starts one.
    ///
    /// - Throws: `CancellationError` after `stop`.
    package func join(
        _ key: Key,
        _ progress: @autoclosure () -> Progress,
        fetch: @escaping Fetch
    ) throws(CancellationError) -> Waiter {
        guard let waiter = try join(key, progress(), limit: .max, fetch: fetch) else {
            preconditionFailure("the number of fetches reached Int.max")
        }
        return waiter
    }

    /// Joins the fetch of `key` that is running, else starts one if fewer than `limit` are running.
    ///
    /// - Returns: nil if too many others are running.
    /// - Throws: `CancellationError` after `stop`.
    package func join(
        _ key: Key,
        _ progress: @autoclosure () -> Progress,
        limit: Int,
        fetch: @escaping Fetch
    ) throws(CancellationError) -> Waiter? {
        let new = progress()
        return try state.withLock { state throws(CancellationError) in
            if state.isStopped { throw CancellationError() }
            if state.machine.count >= limit, state.machine.isNew(key) { return nil }
            let joined = state.machine.join(key)
            state.waiters[joined.waiter] = .joined
            if case .starts(let flight, let waiter) = joined {
                state.flights[flight] = Flight(task: task(for: flight, new, fetch), progress: new)
                return Waiter(progress: new, isCollapsed: false, number: waiter)
            }
            // A fetch that can be joined is in both tables: both remove it in the same step.
            guard let flight = state.flights[joined.flight] else { preconditionFailure("a flight without a task") }
            return Waiter(progress: flight.progress, isCollapsed: true, number: joined.waiter)
        }
    }

    /// Waits for the value of a fetch.
    ///
    /// - Throws: the error of the fetch; `CancellationError`, at once, when the caller's task is cancelled.
    package func value(of waiter: Waiter) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { suspend(waiter.number, $0) }
        } onCancel: {
            leave(waiter.number)
        }
    }

    /// Leaves a fetch without waiting for its value.
    package func release(_ waiter: Waiter) {
        let left = state.withLock { state in
            state.waiters[waiter.number] = nil
            return state.machine.leave(waiter.number)
        }
        lingerIfLast(left)
    }

    /// Starts a fetch that continues to its end without waiters.
    ///
    /// - Returns: false if a fetch of the key runs already, or after `stop`.
    @discardableResult
    package func want(_ key: Key, _ progress: @autoclosure () -> Progress, fetch: @escaping Fetch) -> Bool {
        let new = progress()
        return state.withLock { state in
            guard !state.isStopped, let flight = state.machine.want(key) else { return false }
            state.flights[flight] = Flight(task: task(for: flight, new, fetch), progress: new)
            return true
        }
    }

    /// Cancels every fetch and waits until all have ended; later calls throw `CancellationError`.
    package func stop() async {
        let flights = state.withLock { state in
            state.isStopped = true
            return Array(state.flights.values)
        }
        for flight in flights { flight.task.cancel() }
        for flight in flights { await flight.task.value }
    }

    /// Starts the task of a fetch.
    ///
    /// Called under the lock, so that the task is in the table before it can end: `finish` waits for the lock.
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
        if linger == .zero { return endLinger(flight, number) }
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

/// Fetches that report no progress.
extension Flights where Progress == Void {
    /// A value and how it was fetched.
    package struct Outcome: Sendable {
        package let value: Value
        /// Whether another caller had started the fetch.
        package let isCollapsed: Bool
    }

    /// Returns the value for `key`, from the fetch that is running or from a new one.
    ///
    /// - Throws: the error of `fetch`; `CancellationError`, at once, when the caller's task is cancelled.
    package func value(for key: Key, fetch: @escaping @Sendable () async throws -> Value) async throws -> Outcome {
        let waiter = try join(key, ()) { try await fetch() }
        return Outcome(value: try await value(of: waiter), isCollapsed: waiter.isCollapsed)
    }

    /// Starts a fetch that continues to its end without waiters.
    ///
    /// - Returns: false if a fetch of the key runs already, or after `stop`.
    @discardableResult
    package func want(_ key: Key, fetch: @escaping @Sendable () async throws -> Value) -> Bool {
        want(key, ()) { try await fetch() }
    }
}
