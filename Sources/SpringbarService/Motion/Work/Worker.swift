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
        "Too many heavy computations are asked for at once.",
        explanation: """
            A `linear()`, a plot and a comparison take a while to compute the first time. They are worked off one after \
            the other, and when too many wait, another one is turned away so that everything else stays fast. \
            `Retry-After` has the seconds after which to ask again.
            """
    )

    /// The kinds of the motion part.
    package static let motion = [busy, springOutOfRange]
}

extension Problem {
    static let busy = Problem(
        .busy,
        "The queue of heavy computations is full.",
        fields: [.retryAfter: "1"]
    )
}
