package import HTTPExchange
import HTTPTypes
import Synchronization

/// Has heavy answers worked off by one thread, each once for all who ask for it at the same time.
package final class Worker: Sendable {
    private typealias Waiter = CheckedContinuation<Response, any Error>

    private let queue: Mutex<WorkQueue<Waiter>>
    private let lastID = Atomic<UInt64>(0)
    private let thread = WorkThread()

    /// A worker that takes on `limit` different works at a time.
    init(limit: Int) {
        queue = Mutex(WorkQueue(limit: limit))
    }

    /// The answer of that name: computed, or waited for when it is being computed.
    ///
    /// - Throws: what `compute` throws; `Problem` 503 when too much is under way; `CancellationError` when the asker's
    ///   task is cancelled.
    func answer(named name: String, _ compute: @escaping @Sendable () throws -> Response) async throws -> Response {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                switch queue.withLock({ $0.ask(for: name, id: id, waiter) }) {
                case .start: thread.submit { self.work(on: name, compute) }
                case .joined: break
                case .refused: waiter.resume(throwing: Problem.busy)
                }
            }
        } onCancel: {
            let waiter = queue.withLock { $0.leave(id) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func work(on name: String, _ compute: () throws -> Response) {
        guard queue.withLock({ $0.begin(name) }) else { return }
        let result = Result { try compute() }
        for waiter in queue.withLock({ $0.finish(name) }) { waiter.resume(with: result) }
    }

    /// What the worker has to do.
    package struct Load: Sendable, Equatable {
        /// Works that wait for their turn.
        package fileprivate(set) var queued = 0
        /// Works being computed: one at most.
        package fileprivate(set) var running = 0
        /// Works refused since the start, because too many waited.
        package fileprivate(set) var refused = 0
    }

    var load: Load {
        queue.withLock { Load(queued: $0.count - $0.running, running: $0.running, refused: $0.refusals) }
    }
}

extension Problem.Kind {
    /// The answer to those who come when the worker has enough to do.
    package static let busy = Problem.Kind(
        "busy",
        .serviceUnavailable,
        "Too many heavy computations are asked for at once.",
        explanation: """
            A `linear()`, a plot and a comparison take a while to compute the first time. They are worked off one after \
            the other, and when too many wait, another one is turned away so that everything else stays fast. \
            `Retry-After` has the seconds after which to ask again.
            """
    )

    /// The kinds of the motion part.
    package static let motion = [busy]
}

extension Problem {
    static let busy = Problem(
        .busy,
        "The queue of heavy computations is full.",
        fields: [.retryAfter: "1"]
    )
}
