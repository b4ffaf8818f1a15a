import HTTPExchange
import HTTPTypes
import Logging
import Primitives
import Synchronization

/// A response that the responder has promised, until it is decided or the request has ended.
///
/// Four threads use it, as `ExchangeState` describes. The worker creates it and takes the decision.
final class PromisedResponse: Sendable {
    /// The work that produces the response.
    typealias Work = @Sendable () async throws -> Response

    private struct Shared {
        var state = ExchangeState()
        var response: Response?
        var task: Task<Void, Never>?
    }

    private let shared = Lock(Shared())
    private let connection: ConnectionHandle
    private let deadline: Instant
    private let memory: RequestMemory
    private let server: ServerContext

    init(on connection: ConnectionHandle, memory: RequestMemory, server: ServerContext) {
        self.connection = connection
        self.memory = memory
        deadline = Instant.coarse + server.configuration.requestTimeout
        self.server = server
    }

    /// Starts the task of the work, which is counted: the only unstructured task of the server.
    ///
    /// If the response was decided before, the task is cancelled at once. It runs nevertheless, because the middleware
    /// that the request has entered counts on its end.
    func start(_ work: @escaping Work) {
        server.suspended.running.add(1, ordering: .relaxed)
        let task = Task {
            do {
                finish(.success(try await work()))
            } catch {
                finish(.failure(error))
            }
        }
        let isWaiting = shared.withLock { shared in
            shared.task = task
            return shared.state.phase == .waiting
        }
        // Another thread decided between the start and here, and found no task to cancel.
        if !isWaiting { task.cancel() }
    }

    /// Ends the work with its response.
    ///
    /// It is not inlined: the task would have memory for its variables while the work waits.
    @inline(never)
    private func finish(_ result: Result<Response, any Error>) {
        switch result {
        case .success(let response): perform(.finished, with: response)
        case .failure(let error):
            if !(error is CancellationError) {
                server.logger.error("a promised response failed", metadata: ["error": "\(error)"])
            }
            perform(.finished, with: .text("Internal Server Error\n", status: .internalServerError))
        }
        server.suspended.running.subtract(1, ordering: .sequentiallyConsistent)
        server.reportEnd()
    }

    /// Suspends the connection, and starts the work; called on the worker.
    func suspend(starting work: @escaping Work) {
        connection.suspend()
        perform(.suspended, starting: work)
    }

    /// Returns the decision when the library calls the worker after the resume, with the response of the work.
    func takeDecision() -> (ExchangeState.Decision?, Response?) {
        shared.withLock { ($0.state.nextDecision(), $0.response.take()) }
    }

    /// Handles the end of the request, which may come between the resume and `takeDecision`.
    func end() {
        perform(.completed)
        takeDecision().1?.content.release()
    }

    /// Reports an event to the state machine and performs its action.
    ///
    /// `work` is that of the response, with `.suspended` only; `response` is the work's, with `.finished` only.
    private func perform(
        _ event: ExchangeState.Event,
        starting work: Work? = nil,
        with response: Response? = nil
    ) {
        let (action, task) = shared.withLock { shared in
            let action = shared.state.on(event)
            if action == .resume { shared.response = response }
            if action == .resume || action == .cancelAndResume { server.suspended.willResume() }
            if shared.state.isRefused { memory.refuse() }
            return (action, shared.task)
        }
        switch action {
        case .start, .resume:
            if let work { start(work) }
        case .cancel, .cancelAndResume:
            task?.cancel()
        case .discard:
            response?.content.release()
        case .none:
            break
        }
        if action == .resume || action == .cancelAndResume { server.resume(connection) }
    }
}

extension PromisedResponse: SuspendableExchange {
    func clientLeft() {
        perform(.interrupted(.nothing))
    }

    func tick(_ now: Instant) {
        if deadline < now { perform(.interrupted(.deadline)) }
    }

    func stop() {
        perform(.interrupted(.draining))
    }
}
