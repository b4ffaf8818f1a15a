import CMicroHTTPD
import Glibc
import HTTPExchange
import HTTPTypes
import Logging
import Primitives
import Synchronization

/// One request and its answer, from the request line to the completed callback.
///
/// `@unchecked Sendable`: the variables outside of `shared` belong to the connection's worker. The library runs all
/// callbacks of a connection on one thread, one after the other; whoever else holds the exchange (its task, the
/// lookout, the drain) touches `shared` alone, through `promise(_:)`, `finish(with:)` and the methods of `Waiting`.
final class Exchange: @unchecked Sendable {
    /// What the worker is to do with the next call of the handler.
    private enum Stage {
        case head, content, answer
    }

    private let connection: Connection
    private var engine: Engine { connection.engine }

    // MARK: The worker's

    private var stage = Stage.head
    /// Whether two accesses overlap is not checked at run time, which would cost each of them a call: one callback of
    /// the worker follows the other, and none is called from within.
    @exclusivity(unchecked) private var request: Request
    /// Where the target ended in the library's buffer; an address to compare with, since the bytes are changed there.
    private let targetEnd: UInt
    private let specialTarget: ReceivedTarget.Special?
    private var isHTTP10 = false
    /// Why content that is still arriving is dropped; answered when all of it has arrived.
    private var contentRefusal: Refusal?
    /// The bytes of content that were declared; the limit without a declaration.
    private var expectedLength = 0
    private var contentCharge = MemoryCharge()
    private var answerCharge = MemoryCharge()
    private var isChunked = false
    private var isLast = false
    /// The refusal that was answered.
    private var refusal: Refusal?
    private var stream: StreamBridge?
    private var isFailed = false
    private var isRegistered = false

    // MARK: Everybody's

    private struct Shared {
        var state = ExchangeState()
        var response: Response?
        var task: Task<Void, Never>?
        var settlement: Settlement?
        var handle: ConnectionHandle?
        var deadline = MonotonicTime.never
    }

    private let shared = Mutex(Shared())

    /// Makes the exchange for a target, raw and in the library's buffer.
    init(target: UnsafePointer<CChar>, connection: Connection) {
        self.connection = connection
        let count = strlen(target)
        targetEnd = UInt(bitPattern: target) &+ UInt(count)
        let received = connection.received(target, count: count)
        specialTarget = received.special
        request = Request(method: .get, target: received.target, peer: connection.peer)
    }

    // MARK: Receiving

    var awaitsHead: Bool { stage == .head }

    /// Takes over the method and the fields, once, and refuses what must not go on.
    ///
    /// A response on this call makes the library close the connection after it and read nothing more from it: right
    /// for what is refused, since where the next request begins is in doubt, and five times as dear for anything else.
    func takeHead(
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        connection handle: ConnectionHandle
    ) -> Bool {
        stage = .content
        engine.counters.activeRequests.add(1, ordering: .relaxed)
        isHTTP10 = strcmp(version, "HTTP/1.0") == 0
        var reader = FieldReader(after: version)
        reader.read(from: handle, method: method)
        request.method = Methods.method(of: method)

        // The request line is "method target version", and its spaces are zeros by now.
        if targetEnd &+ 1 != UInt(bitPattern: version) { reader.addControlInTarget() }
        if let specialTarget {
            if let refusal = specialTarget.refusal(for: request.method) { reader.addTargetFault(refusal) }
            if let authority = specialTarget.authority { reader.replaceHost(with: authority) }
        }
        request.fields = reader.fields
        if let refusal = refusal(of: reader.head) {
            connection.requestArrived()
            engine.lingering.keep(connection)
            return refuse(refusal, connection: handle)
        }
        isChunked = reader.head.isChunked
        expectedLength = reader.head.contentLength ?? engine.configuration.maxBodyBytes
        return true
    }

    /// Why the request is refused before any content is read; nil when it may go on.
    private func refusal(of head: RequestHead) -> Refusal? {
        if let refusal = head.refusal(isHTTP10: isHTTP10, contentLimit: engine.configuration.maxBodyBytes) {
            return refusal
        }
        if connection.isReserve, !engine.responder.isOperation(request) { return .reserved }
        // Nothing is reserved yet: a client that declares a length has not sent a byte of it.
        if let length = head.contentLength, length > MemoryBudget.uncountedBytes,
            !engine.memory.fits(length, for: connection.client)
        {
            return .overloaded
        }
        return nil
    }

    /// Takes in a part of the content, up to the limit and as far as it fits into the memory budget.
    ///
    /// What is above it is read and dropped, since an answer can be given only before the content or after it; the
    /// request's deadline ends what never ends.
    func takeContent(_ bytes: UnsafeRawBufferPointer) {
        guard contentRefusal == nil else { return }
        let limit = engine.configuration.maxBodyBytes
        let count = request.content.count + bytes.count
        guard count <= limit else { return dropContent(.contentTooLarge(limit: limit)) }
        guard makeRoom(for: count) else { return dropContent(.overloaded) }
        request.content.append(contentsOf: bytes)
    }

    /// Has the content hold `count` bytes: memory is taken as they arrive, at least doubled each time, and at most what
    /// was declared; small content, which comes in one part, takes it once.
    private func makeRoom(for count: Int) -> Bool {
        let capacity = request.content.capacity
        guard count > capacity else { return true }
        let wanted = max(count, min(2 * capacity, expectedLength))
        guard contentCharge.grow(to: wanted, of: engine.memory, for: connection.client) else { return false }
        request.content.reserveCapacity(wanted)
        return true
    }

    private func dropContent(_ refusal: Refusal) {
        contentRefusal = refusal
        releaseContent()
    }

    private func releaseContent() {
        request.content = []
        contentCharge.release(to: engine.memory, of: connection.client)
    }

    // MARK: Answering

    /// Answers a whole request; or, called again, one whose connection was suspended.
    ///
    /// - Returns: false to have the library close the connection.
    func answer(connection handle: ConnectionHandle) -> Bool {
        guard stage == .content else { return resumed(connection: handle) }
        stage = .answer
        connection.requestArrived()
        // The library finds the end of chunked content more leniently than a proxy in front may: it takes LF alone for
        // a line's end in a chunk's head, and a trailer that begins with a zero byte for the end of the trailers. What
        // follows may be meant as part of this request, so nothing that follows is served.
        isLast = isChunked || connection.isReserve
        if let contentRefusal { return refuse(contentRefusal, connection: handle) }
        // The answer to a request that changed something is sent whatever it takes. While such an answer overdraws the
        // budget, others are refused before they change anything: so it is overdrawn by one answer a worker at most.
        if !request.isSafe, engine.memory.isOverdrawn(by: connection.client) {
            return refuse(.overloaded, connection: handle)
        }
        switch engine.responder.respond(to: request) {
        case .now(let response): return queue(response, connection: handle)
        case .later(let work): return promise(work, connection: handle)
        }
    }

    private func refuse(_ refusal: Refusal, connection handle: ConnectionHandle) -> Bool {
        self.refusal = refusal
        var request = request
        request.content = []
        return queue(engine.responder.answer(to: refusal, of: request), connection: handle)
    }

    /// Gives the answer to the library, and lets go of it: `consuming`, so that nothing of it is copied on the way.
    private func queue(_ response: consuming Response, connection handle: ConnectionHandle) -> Bool {
        if contentCharge.bytes > 0 { releaseContent() }
        guard takeRoom(for: response) else {
            response.content.release()
            return refuse(.overloaded, connection: handle)
        }
        let closes = isLast || engine.isDraining.load(ordering: .relaxed)
        let outgoing = OutgoingResponse(response, toHead: request.method == .head, closes: closes) { stream in
            let bridge = StreamBridge(
                stream,
                connection: handle,
                room: engine.waitingRoom,
                memory: engine.memory.budget
            )
            self.stream = bridge
            return bridge
        }
        // The room is entered before the first pull: a stream must not be suspended by anybody the drain cannot find.
        if let stream { register(stream) }
        // What is no answer, such as a status of 1xx, is our own mistake and not the client's.
        isFailed = !outgoing.queue(on: handle)
        return !isFailed
    }

    /// Charges the bytes that the library will copy; false if they do not fit and the answer may be another.
    ///
    /// `AnswerBudget` has mostly asked before, so that what is logged is what is sent.
    private func takeRoom(for response: borrowing Response) -> Bool {
        guard case .bytes(let bytes) = response.content, bytes.count > MemoryBudget.uncountedBytes,
            request.method != .head, response.status != .notModified
        else { return true }
        if request.isSafe, refusal == nil {
            if answerCharge.grow(to: bytes.count, of: engine.memory, for: connection.client) { return true }
            // What watches the service must see that it is overloaded.
            guard engine.responder.isOperation(request) else { return false }
        }
        answerCharge.add(bytes.count, to: engine.memory, for: connection.client)
        return true
    }

    /// Enters the waiting room; false when it is closed.
    @discardableResult
    private func register(_ guest: any Waiting) -> Bool {
        isRegistered = true
        guard engine.waitingRoom.enter(guest, connection: connection.number) else {
            guest.stop()
            return false
        }
        connection.watchSuspended()
        // The watch tells of a client's leaving once; it may have been during an earlier exchange.
        if connection.isGone { guest.clientLeft() }
        return true
    }

    // MARK: Answering later

    private func promise(_ work: @escaping @Sendable () async throws -> Response, connection handle: ConnectionHandle)
        -> Bool
    {
        let deadline = MonotonicTime.now + engine.configuration.requestTimeout
        _ = shared.withLock { shared in
            shared.handle = handle
            shared.deadline = deadline
            return shared.state.on(.promised)
        }
        guard register(self) else { return refuse(.draining, connection: handle) }
        handle.suspend()
        perform(.suspended, starting: work)
        return true
    }

    /// What the task does.
    ///
    /// It is the one unstructured task of this server: it is counted, kept in `shared`, and cancelled when the client
    /// leaves, at the deadline and at the end of a drain.
    private func start(_ work: @escaping @Sendable () async throws -> Response) {
        engine.waitingRoom.tasks.add(1, ordering: .relaxed)
        let settlement = Settlement()
        let task = Task {
            let response: Response
            do {
                response = try await Settlement.$current.withValue(settlement, operation: work)
            } catch {
                if !(error is CancellationError) {
                    engine.logger.error("a promised answer failed", metadata: ["error": "\(error)"])
                }
                response = .text("Internal Server Error\n", status: .internalServerError)
            }
            finish(with: response)
            engine.waitingRoom.tasks.subtract(1, ordering: .releasing)
        }
        let phase = shared.withLock { shared in
            shared.task = task
            shared.settlement = settlement
            return shared.state.phase
        }
        // Decided between the start and here, by somebody who found no task to cancel.
        guard phase != .waiting else { return }
        if phase.isRefused { settlement.settle() }
        task.cancel()
    }

    private func finish(with response: Response) {
        let (action, handle) = shared.withLock { shared in
            let action = shared.state.on(.finished)
            if action == .resume {
                shared.response = response
                engine.waitingRoom.willResume()
            }
            return (action, shared.handle)
        }
        if action == .resume, let handle {
            engine.waitingRoom.resume(handle)
        } else {
            response.content.release()
        }
    }

    /// Reports an event and does what the state machine says.
    private func perform(_ event: ExchangeState.Event, starting work: (@Sendable () async throws -> Response)? = nil) {
        let (action, task, handle) = shared.withLock { shared in
            let action = shared.state.on(event)
            if action == .resume || action == .cancelAndResume { engine.waitingRoom.willResume() }
            if shared.state.phase.isRefused { shared.settlement?.settle() }
            return (action, shared.task, shared.handle)
        }
        switch action {
        case .start:
            if let work { start(work) }
        case .resume, .cancelAndResume:
            task?.cancel()
            if let handle { engine.waitingRoom.resume(handle) }
        case .cancel:
            task?.cancel()
        case .none, .suspend, .answer, .discard:
            break
        }
    }

    /// Answers after a resume, as was decided.
    private func resumed(connection handle: ConnectionHandle) -> Bool {
        let (action, response) = shared.withLock { ($0.state.on(.called), $0.response.take()) }
        switch action {
        case .answer(.response):
            guard let response else { return false }
            return queue(response, connection: handle)
        case .answer(.deadline):
            return refuse(.deadlineExceeded, connection: handle)
        case .answer(.draining):
            return refuse(.draining, connection: handle)
        default:
            return false
        }
    }

    // MARK: The end

    /// Takes note that the library is done with the request.
    ///
    /// It may never have been handled: what is wrong with its fields or its content may have been answered by the
    /// library, and a client may leave at any time.
    func complete(_ termination: Termination, status: Int) {
        if isRegistered {
            perform(.completed)
            engine.waitingRoom.leave(connection: connection.number)
            // Resumed with an answer, but the connection had ended before the handler was called.
            shared.withLock { $0.response.take() }?.content.release()
        }
        let ending = Ending(
            termination: termination,
            refusal: refusal,
            libraryStatus: stage == .answer || refusal != nil ? 0 : status,
            isExpired: connection.isExpired,
            isFailed: isFailed || stream?.isFailed == true
        )
        engine.counters.count(ending.outcome)
        contentCharge.release(to: engine.memory, of: connection.client)
        answerCharge.release(to: engine.memory, of: connection.client)
        connection.awaitRequest()
        if stage != .head { engine.counters.activeRequests.subtract(1, ordering: .releasing) }
    }
}

extension Exchange: Waiting {
    func clientLeft() {
        perform(.clientLeft)
    }

    func tick(_ now: MonotonicTime) {
        if shared.withLock({ $0.deadline }) < now { perform(.deadlinePassed) }
    }

    func stop() {
        perform(.stopped)
    }

    func heartbeat() {}

    func drain() {}
}
