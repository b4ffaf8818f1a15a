import Synchronization

/// Coalesces equal requests: they share one fetch.
///
/// A fetch is shared by all its waiters, so it cannot be a child task of one of them. It runs in an unstructured task,
/// which this table keeps, cancels when the last waiter leaves, and ends with `stop`.
///
/// Three rules, each of them a bug of other implementations:
/// - A caller that leaves does not end the fetch for the others, even if it started the fetch (buildbuddy #7199).
/// - The key stays in the table as long as the fetch can be joined, so that no second fetch starts (janos/singleflight
///   #4).
/// - A fetch leaves the table *before* it is cancelled: the next caller never receives that cancellation (tailscale
///   #18919).
package final class Flights<Key: Hashable & Sendable, Progress: Sendable, Value: Sendable>: Sendable {
    package typealias Fetch = @Sendable (Progress) async throws -> Value
    fileprivate typealias Answer = PendingResult<Result<Value, any Error>>

    private struct Flight {
        let number: UInt64
        let progress: Progress
        /// Continues without waiters: a revalidation or a prefetch.
        var keepsGoing: Bool
        var waiters: [UInt64: Answer] = [:]
        /// Only the latest linger may cancel.
        var linger: UInt64 = 0
    }

    private struct State {
        /// The fetches that can be joined.
        var flights: [Key: Flight] = [:]
        /// The tasks of these fetches by their numbers, and those of cancelled fetches that have not ended.
        var tasks: [UInt64: Task<Void, Never>] = [:]
        private var lastNumber: UInt64 = 0
        var isStopped = false
        var abandoned = 0

        /// Returns a number for a fetch, a waiter or a linger; never used again.
        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
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
    package var count: Int { state.withLock { $0.flights.count } }

    /// Returns whether a fetch of the key runs that can be joined.
    func contains(_ key: Key) -> Bool { state.withLock { $0.flights[key] != nil } }

    /// The number of callers that wait, for all fetches together.
    package var waiters: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    /// The number of fetches cancelled so far because their last waiter had left.
    package var abandoned: Int { state.withLock(\.abandoned) }

    /// A caller that has joined a fetch; it ends with `value(of:)` or with `release`.
    package struct Waiter: Sendable {
        /// The object through which the fetch reports its progress.
        package let progress: Progress
        /// Whether another caller had started the fetch.
        package let isCollapsed: Bool
        fileprivate let key: Key
        fileprivate let number: UInt64
        fileprivate let answer: Answer
    }

    /// Joins the fetch of `key` that is running, else starts one.
    ///
    /// - Throws: `CancellationError` after `stop`.
    package func join(
        _ key: Key,
        _ progress: Progress,
        fetch: @escaping Fetch
    ) throws(CancellationError) -> Waiter {
        try state.withLock { state throws(CancellationError) in
            if state.isStopped { throw CancellationError() }
            let running = state.flights[key]?.progress
            if running == nil { start(key, progress, keepsGoing: false, fetch, in: &state) }
            let (number, answer) = (state.nextNumber(), Answer())
            state.flights[key]?.waiters[number] = answer
            return Waiter(
                progress: running ?? progress,
                isCollapsed: running != nil,
                key: key,
                number: number,
                answer: answer
            )
        }
    }

    /// Waits for the value of a fetch.
    ///
    /// - Throws: the error of the fetch; `CancellationError`, at once, when the caller's task is cancelled.
    package func value(of waiter: Waiter) async throws -> Value {
        let result = await waiter.answer.value(cancelled: .failure(CancellationError()))
        release(waiter)
        return try result.get()
    }

    /// Leaves a fetch; does nothing if the fetch has ended.
    package func release(_ waiter: Waiter) {
        let key = waiter.key
        let number: UInt64? = state.withLock { state in
            guard state.flights[key]?.waiters.removeValue(forKey: waiter.number) != nil,
                let flight = state.flights[key], flight.waiters.isEmpty, !flight.keepsGoing
            else { return nil }
            let number = state.nextNumber()
            state.flights[key]?.linger = number
            return number
        }
        guard let number else { return }
        if linger == .zero { return endLinger(number, of: key) }
        Task { [linger, clock] in
            try? await clock.sleep(for: linger)
            endLinger(number, of: key)
        }
    }

    /// Cancels every fetch and waits until all have ended; later calls throw `CancellationError`.
    package func stop() async {
        let tasks = state.withLock { state in
            state.isStopped = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Starts the task of a fetch; under the lock, so that it is in the table before it can end.
    private func start(
        _ key: Key,
        _ progress: Progress,
        keepsGoing: Bool,
        _ fetch: @escaping Fetch,
        in state: inout State
    ) {
        let number = state.nextNumber()
        state.flights[key] = Flight(number: number, progress: progress, keepsGoing: keepsGoing)
        state.tasks[number] = Task {
            do {
                finish(number, of: key, .success(try await fetch(progress)))
            } catch {
                finish(number, of: key, .failure(error))
            }
        }
    }

    private func finish(_ number: UInt64, of key: Key, _ result: Result<Value, any Error>) {
        let flight: Flight? = state.withLock { state in
            state.tasks[number] = nil
            // A cancelled fetch has left the table, where another one of its key may be.
            return state.flights[key]?.number == number ? state.flights.removeValue(forKey: key) : nil
        }
        flight?.waiters.values.forEach { $0.deliver(result) }
    }

    /// Cancels a fetch if no caller has joined it during the linger.
    private func endLinger(_ number: UInt64, of key: Key) {
        let task: Task<Void, Never>? = state.withLock { state in
            guard let flight = state.flights[key], flight.linger == number, flight.waiters.isEmpty, !flight.keepsGoing
            else { return nil }
            state.flights[key] = nil
            state.abandoned += 1
            return state.tasks[flight.number]
        }
        task?.cancel()
    }
}

/// Fetches that report no progress.
extension Flights where Progress == Void {
    /// Returns the value for `key`, from the fetch that is running or from a new one, and whether another caller had
    /// started the fetch.
    ///
    /// - Throws: the error of `fetch`; `CancellationError`, at once, when the caller's task is cancelled.
    package func value(
        for key: Key,
        fetch: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, isCollapsed: Bool) {
        let waiter = try join(key, ()) { try await fetch() }
        return (try await value(of: waiter), waiter.isCollapsed)
    }

    /// Starts a fetch that continues to its end without waiters; one that runs already continues so, too.
    ///
    /// - Returns: false if a fetch of the key runs already, or after `stop`.
    @discardableResult
    package func want(_ key: Key, fetch: @escaping @Sendable () async throws -> Value) -> Bool {
        state.withLock { state in
            guard !state.isStopped, state.flights[key] == nil else {
                state.flights[key]?.keepsGoing = true
                return false
            }
            start(key, (), keepsGoing: true, { _ in try await fetch() }, in: &state)
            return true
        }
    }
}
