package import HTTPExchange
import HTTPTypes
package import Primitives

/// Computes heavy answers on one thread; concurrent requests for the same answer share one computation.
package final class Worker: Sendable {
    private let worker: BoundedWorker<String, Response>

    /// Creates a worker that accepts `limit` different computations at a time.
    init(limit: Int) {
        worker = BoundedWorker(limit: limit)
    }

    /// Returns the answer of a name: computes it, or waits for the computation that is running.
    ///
    /// - Throws: the error of `compute`; `Problem` 503 if the queue is full; `CancellationError` if the caller's task
    ///   is cancelled.
    func answer(named name: String, _ compute: @escaping @Sendable () throws -> Response) async throws -> Response {
        do {
            return try await worker.value(named: name) { _ in try compute() }
        } catch is WorkerIsBusy {
            throw Problem.busy
        }
    }

    /// The load of the worker.
    package typealias Load = WorkerLoad

    var load: Load { worker.load }
}

extension Problem.Kind {
    /// The response to requests while the queue of the worker is full.
    package static let busy = Problem.Kind(
        "busy",
        .serviceUnavailable,
        "Too many heavy computations are waiting.",
        explanation: """
            The first computation of a `linear()`, a plot or a comparison takes a while. The service computes one at a \
            time and queues the others; if the queue is full, it refuses further ones, so that other requests stay fast. \
            Retry after `Retry-After` seconds.
            """
    )

    /// The kinds of the motion part.
    package static let motion = [busy, springOutOfRange]
}

extension Problem {
    static let busy = Problem(.busy, "The queue of heavy computations is full.", retryAfter: .seconds(1))
}
