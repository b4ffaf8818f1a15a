import Primitives
import Synchronization

/// Holds calls back until a test opens it, and counts them.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen: Bool
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var starts = 0
        var cancellations = 0
    }

    private let state: Lock<State>

    package init(isOpen: Bool = false) {
        state = Lock(State(isOpen: isOpen))
    }

    /// The number of calls so far.
    package var starts: Int { state.withLock(\.starts) }

    /// The number of calls that wait.
    package var count: Int { state.withLock(\.waiting.count) }

    /// The number of calls that ended because their task was cancelled.
    package var cancellations: Int { state.withLock(\.cancellations) }

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Makes later calls wait.
    package func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Waits until the gate is opened, also in a task that is cancelled.
    package func wait() async {
        await enter(begin(), isCancellable: false)
    }

    /// Waits until the gate is opened or the task is cancelled; returns the number of the call, from 1 on.
    @discardableResult
    package func pass() async throws(CancellationError) -> Int {
        let number = begin()
        await withTaskCancellationHandler {
            await enter(number, isCancellable: true)
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancellations += 1
                return state.waiting.removeValue(forKey: number)
            }
            continuation?.resume()
        }
        if Task.isCancelled { throw CancellationError() }
        return number
    }

    private func begin() -> Int {
        state.withLock { state in
            state.starts += 1
            return state.starts
        }
    }

    private func enter(_ number: Int, isCancellable: Bool) async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                let waits = !state.isOpen && !(isCancellable && Task.isCancelled)
                if waits { state.waiting[number] = continuation }
                return waits
            }
            if !waits { continuation.resume() }
        }
    }
}
