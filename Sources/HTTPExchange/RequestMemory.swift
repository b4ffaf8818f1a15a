import HTTPTypes
package import Primitives
import Synchronization

/// The memory that one request has reserved: for its content, for its work, and for its answer until it is sent.
///
/// It is the object of a request that the server and the work share, so it also tells the work of a refusal.
///
/// The server creates it before the content arrives. A handler that changes something, or waits for something large,
/// first reserves the most that its answer can have. `ResponseBudget` then reserves what the answer has. All of it is
/// released with the object: when the exchange has ended, and its work too.
package final class RequestMemory: Sendable {
    private struct State {
        var content = 0
        var work = 0
        var answer = 0
        /// The shared bytes of the answer.
        var lease: MemoryLease?
        var isRefused = false
        var identity: Identity?
    }

    /// The id and the trace that the work of a promised response sends to other services.
    struct Identity {
        let requestID: String
        let trace: TraceContext?
    }

    /// The client that pays.
    package let account: MemoryAccount
    private let state = Lock(State())

    package init(_ account: MemoryAccount) {
        self.account = account
    }

    /// Memory that is not limited, paid by `client`; for applications without a server.
    package static func unlimited(client: ClientKey? = nil) -> RequestMemory {
        RequestMemory(MemoryAccount(.unlimited, client: client))
    }

    deinit {
        release()
    }

    /// Releases everything, so that another request of the same client can use the object.
    package func release() {
        let (bytes, lease) = state.withLock { state in
            let bytes = state.content + state.work + state.answer
            let lease = state.lease.take()
            state.content = 0
            state.work = 0
            state.answer = 0
            state.isRefused = false
            state.identity = nil
            return (bytes, lease)
        }
        if bytes > 0 { account.release(bytes) }
        _ = consume lease
    }

    /// Whether the server has refused the request while its response was promised.
    ///
    /// The refusal passes through the middleware, so the promised response must not be logged and counted as well.
    package var isRefused: Bool { state.withLock(\.isRefused) }

    /// Notes that the server refuses the request, at its deadline or at the end of a drain.
    package func refuse() {
        state.withLock { $0.isRefused = true }
    }

    /// The identity of the request, which a refusal of the promised response has, too.
    var identity: Identity? {
        get { state.withLock(\.identity) }
        set { state.withLock { $0.identity = newValue } }
    }

    // Up to `MemoryBudget.uncountedBytes` nothing is reserved.

    /// Makes the reservation for the content at least `count` bytes; false if they do not fit.
    package func reserveContent(_ count: Int) -> Bool { grow(\.content, to: count) }

    /// Releases the reservation for the content.
    package func releaseContent() {
        state.withLock { state in
            if state.content > 0 { account.release(state.content) }
            state.content = 0
        }
    }

    /// Makes the reservation for the work, without its answer, at least `count` bytes; it lasts until there is an answer.
    ///
    /// - Throws: `Refusal.overloaded` if they do not fit; nothing has changed then.
    package func reserveWork(_ count: Int) throws(Refusal) {
        if !grow(\.work, to: count) { throw .overloaded }
    }

    /// Makes the reservation for the answer at least `count` bytes.
    ///
    /// - Throws: `Refusal.overloaded` if they do not fit; nothing has changed then.
    package func reserve(_ count: Int) throws(Refusal) {
        if !grow(\.answer, to: count) { throw .overloaded }
    }

    @inline(__always)
    private func grow(_ part: WritableKeyPath<State, Int>, to count: Int) -> Bool {
        guard count > MemoryBudget.uncountedBytes else { return true }
        return state.withLock { state in
            guard count > state[keyPath: part] else { return true }
            guard account.reserve(count - state[keyPath: part]) else { return false }
            state[keyPath: part] = count
            return true
        }
    }

    /// Releases the reservation for the work, and replaces that for the answer by what the content of the answer needs until it has been sent.
    ///
    /// - Returns: false if that does not fit; then only a small answer may be sent.
    package func reserveUntilSent(_ content: Content, isOperation: Bool) -> Bool {
        let bytes: Int
        var lease: MemoryLease?
        var fits = true
        switch content {
        case .bytes(let content) where content.count > MemoryBudget.uncountedBytes:
            bytes = content.count
        case .shared(let shared, _) where shared.count > MemoryBudget.uncountedBytes:
            bytes = 0
            if let reservation = shared.reservation {
                lease = reservation.lease(for: account, isOperation: isOperation)
                fits = lease != nil
            }
        case .stream(let stream) where stream.length == nil:
            // It reserves its events itself, and is not opened if there is no memory for the first one.
            bytes = 0
            fits = account.budget.fits(MemoryBudget.uncountedBytes, for: account.client)
        case .none, .bytes, .shared, .stream:
            // Small, or a stream with a length: the handler has reserved the bytes that it keeps.
            bytes = 0
        }
        let old = state.withLock { state in
            if state.work > 0 { account.release(state.work) }
            state.work = 0
            if bytes > state.answer {
                fits = account.reserve(bytes - state.answer, isOperation: isOperation)
            } else if bytes < state.answer {
                account.release(state.answer - bytes)
            }
            if fits || bytes < state.answer { state.answer = bytes }
            swap(&state.lease, &lease)
            return lease
        }
        _ = consume old
        return fits
    }
}

/// Reserves the memory of each response until it has been sent, and replaces one that does not fit with 503 `overloaded`.
///
/// It is just outside `ConditionalRequests`, so the log and the metrics show the response that is sent. A handler that changes
/// something has reserved the most that its answer can have before the change, so a 503 always means that nothing was
/// changed.
package struct ResponseBudget: Middleware {
    package init() {}

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        let isOperation = context.route?.isOperation ?? false
        let isSent = request.method != .head && response.status != .notModified
        let fits =
            isSent
            ? context.memory.reserveUntilSent(response.content, isOperation: isOperation)
            : context.memory.reserveUntilSent(.none, isOperation: isOperation)
        if fits { return }
        response.content.release()
        response = Problem(refusal: .overloaded).response(instance: context.requestID)
        _ = context.memory.reserveUntilSent(.none, isOperation: isOperation)
    }
}
