import Primitives
import Synchronization

extension FakeStore {
    /// Holds calls back until a test opens it.
    package final class Gate: Sendable {
        private struct Waiting: Sendable {
            var isOpen = false
            var continuations: [CheckedContinuation<Void, Never>] = []
        }

        private let waiting = Lock(Waiting())

        package init() {}

        /// The number of calls that wait.
        package var count: Int { waiting.withLock { $0.continuations.count } }

        package func open() {
            let continuations = waiting.withLock { waiting in
                waiting.isOpen = true
                defer { waiting.continuations = [] }
                return waiting.continuations
            }
            for continuation in continuations { continuation.resume() }
        }

        package func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = waiting.withLock { waiting in
                    if !waiting.isOpen { waiting.continuations.append(continuation) }
                    return waiting.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }
}
