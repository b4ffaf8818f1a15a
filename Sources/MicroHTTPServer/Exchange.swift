import CMicroHTTPD
import Glibc
import HTTPExchange
import HTTPTypes
import Logging
import Primitives
import Synchronization

/// One request and its response, from the request line to the completed callback.
///
/// `@unchecked Sendable`: the variables outside of `shared` belong to the connection's worker. The library runs all
/// callbacks of a connection on one thread, one after the other. Other holders of the exchange (its task, the event loop,
/// the drain) access only `shared`, through `perform` and the methods of `SuspendableExchange`.
final class Exchange: @unchecked Sendable {
    /// The meaning of the next call of the handler.
    private enum Stage {
        case head, content, response
    }

    private let connection: Connection
    private var server: ServerContext { connection.server }

    // MARK: Accessed by the worker only

    private var stage = Stage.head
    /// Exclusivity is not checked at run time, which would cost a call for each access: the worker's callbacks run one
    /// after the other and are not re-entered.
    @exclusivity(unchecked) private var request: Request
    /// The address in the library's buffer where the target ended, for comparison only: the library changes the bytes.
    private let targetEnd: UInt
    private let specialTarget: ReceivedTarget.Special?
    private var isHTTP10 = false
    /// The bytes that the head of the response may have.
    private var headRoom = 0
    /// The refusal of content that is still arriving; sent when all of it has arrived.
    private var contentRefusal: Refusal?
    /// The declared length of the content; the limit if none was declared.
    private var expectedLength = 0
    /// The memory for the content and the response, from the head on.
    @exclusivity(unchecked) private var memory: RequestMemory?
    private var isChunked = false
    private var isLast = false
    /// The refusal that was sent.
    private var refusal: Refusal?
    private var stream: StreamBridge?
    private var isFailed = false
    private var isRegistered = false
    private var isPromised = false

    // MARK: Accessed by all threads

    private struct Shared {
        var state = ExchangeState()
        var response: Response?
        var task: Task<Void, Never>?
        var settlement: Settlement?
        var handle: ConnectionHandle?
        var deadline = Instant.never
    }

    private let shared = Lock(Shared())

    /// Creates the exchange for a target, which is raw and in the library's buffer.
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

    /// Reads the method and the fields, once, and refuses malformed requests.
    ///
    /// After a response on this call the library reads nothing more and closes the connection. That is right for a refused
    /// request, because it is uncertain where the next one begins. Other requests keep their connection: a new one for each would
    /// cost five times as much.
    func receiveHead(
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        connection handle: ConnectionHandle
    ) -> Bool {
        stage = .content
        server.counters.activeRequests.add(1, ordering: .relaxed)
        isHTTP10 = strcmp(version, "HTTP/1.0") == 0
        var reader = FieldReader(after: version)
        reader.read(from: handle, method: method)
        request.method = Methods.method(of: method)

        // The request line is "method target version"; the library has replaced its spaces by zeros.
        if targetEnd &+ 1 != UInt(bitPattern: version) { reader.head.addControlInTarget() }
        if let specialTarget {
            if let refusal = specialTarget.refusal(for: request.method) { reader.head.addTargetFault(refusal) }
            if let authority = specialTarget.authority { reader.fields[.host] = authority }
        }
        request.fields = reader.fields
        let forwarded = connection.forwardedClient(in: request.fields)
        request.forwardedClient = forwarded?.description
        memory = connection.requestMemory(of: forwarded)
        if let refusal = reader.size.refusal { return refuseDirectly(refusal) }
        headRoom = reader.size.room
        if let refusal = refusal(of: reader.head) {
            connection.requestArrived()
            return refuse(refusal, connection: handle)
        }
        isChunked = reader.head.isChunked
        expectedLength = reader.head.contentLength ?? server.configuration.maxBodyBytes
        return true
    }

    /// Returns why the request is refused before its content is read; nil if it is accepted.
    private func refusal(of head: RequestHead) -> Refusal? {
        if let refusal = head.refusal(isHTTP10: isHTTP10, contentLimit: server.configuration.maxBodyBytes) {
            return refusal
        }
        if connection.isReserve, !server.responder.isOperation(request) { return .reserved }
        // Nothing is reserved yet: the client has only declared the length.
        if let length = head.contentLength, length > MemoryBudget.uncountedBytes,
            !server.configuration.memory.fits(length, for: memory?.account.client)
        {
            return .overloaded
        }
        return nil
    }

    /// Appends a part of the content, up to the limit and as far as it fits into the memory budget.
    ///
    /// Further content is read and dropped, since a response can be sent only before the content or after it. The
    /// request's deadline ends content without an end.
    func receiveContent(_ bytes: UnsafeRawBufferPointer) {
        guard contentRefusal == nil else { return }
        let limit = server.configuration.maxBodyBytes
        let count = request.content.count + bytes.count
        guard count <= limit else { return dropContent(.contentTooLarge(limit: limit)) }
        guard makeRoom(for: count) else { return dropContent(.overloaded) }
        if request.content.capacity == 0 {
            request.content = Array(bytes)
        } else {
            request.content.append(contentsOf: bytes)
        }
    }

    /// Makes room for `count` bytes of content; false if they do not fit into the memory budget.
    ///
    /// Memory grows as bytes arrive, at least doubles each time, and is at most the declared length. The first part
    /// brings its own memory: small content arrives in one part.
    private func makeRoom(for count: Int) -> Bool {
        let capacity = request.content.capacity
        guard count > capacity else { return true }
        let wanted = max(count, min(2 * capacity, expectedLength))
        guard
            wanted <= MemoryBudget.uncountedBytes || memory?.reserveContent(wanted) == true
        else { return false }
        if capacity > 0 { request.content.reserveCapacity(wanted) }
        return true
    }

    private func dropContent(_ refusal: Refusal) {
        contentRefusal = refusal
        releaseContent()
    }

    private func releaseContent() {
        request.content = []
        memory?.releaseContent()
    }

    // MARK: Responding

    /// Responds to a complete request, or continues one after its connection was resumed.
    ///
    /// - Returns: false to have the library close the connection.
    func respond(connection handle: ConnectionHandle) -> Bool {
        guard stage == .content else { return resumed(connection: handle) }
        stage = .response
        connection.requestArrived()
        // The library finds the end of chunked content more leniently than a proxy in front may: it accepts LF alone as
        // the line end in a chunk's head, and a trailer that begins with a zero byte as the end of the trailers. The
        // bytes that follow may belong to this request, so they are not served as another one.
        isLast = isChunked || connection.isReserve
        if let contentRefusal { return refuse(contentRefusal, connection: handle) }
        guard let memory else { return false }
        switch server.responder.respond(to: request, memory: memory) {
        case .now(let response): return queue(response, connection: handle)
        case .later(let work): return promise(work, connection: handle)
        }
    }

    private func refuse(_ refusal: Refusal, connection handle: ConnectionHandle) -> Bool {
        self.refusal = refusal
        var request = request
        request.content = []
        return queue(server.responder.response(to: refusal, of: request), connection: handle)
    }

    /// Sends a refusal past the library; returns false, so that the library closes the connection.
    private func refuseDirectly(_ refusal: Refusal) -> Bool {
        self.refusal = refusal
        let response = server.responder.response(to: refusal, of: request)
        DirectResponse(response, toHead: request.method == .head).send(on: connection.descriptor)
        return false
    }

    /// Passes the response to the library; `consuming`, so that it is not copied.
    private func queue(_ response: consuming Response, connection handle: ConnectionHandle) -> Bool {
        // Work that still runs after its deadline has the content, which is released with it.
        if request.content.count > MemoryBudget.uncountedBytes, !isPromised { releaseContent() }
        let closes = isLast || server.isDraining.load(ordering: .relaxed)
        let outgoing = OutgoingResponse(response, toHead: request.method == .head, closes: closes) { stream in
            let bridge = StreamBridge(stream, connection: handle, server: server)
            self.stream = bridge
            return bridge
        }
        guard outgoing.headBytes <= headRoom else {
            outgoing.discard()
            stream = nil
            return refuseDirectly(HeadSize.tooLarge)
        }
        // Registered before the first pull: the drain must find every stream whose connection may be suspended.
        if let stream { register(stream) }
        // A response that cannot be sent, such as one with a status of 1xx, is a fault of the application.
        isFailed = !outgoing.queue(on: handle)
        return !isFailed
    }

    /// Adds an exchange to the table of suspended ones; false when the table is closed.
    @discardableResult
    private func register(_ exchange: any SuspendableExchange) -> Bool {
        isRegistered = true
        guard server.suspended.add(exchange, connection: connection.number) else {
            exchange.stop()
            return false
        }
        connection.monitorSuspension()
        // The monitor reports a departure once, which may have been during an earlier exchange.
        if connection.isGone { exchange.clientLeft() }
        return true
    }

    // MARK: Responding later

    private func promise(_ work: @escaping @Sendable () async throws -> Response, connection handle: ConnectionHandle)
        -> Bool
    {
        isPromised = true
        let deadline = Instant.coarse + server.configuration.requestTimeout
        shared.withLock { shared in
            shared.handle = handle
            shared.deadline = deadline
            shared.state.promise()
        }
        guard register(self) else {
            start(work)
            return refuse(.draining, connection: handle)
        }
        handle.suspend()
        perform(.suspended, starting: work)
        return true
    }

    /// Starts the task that produces a promised response.
    ///
    /// If the response was decided before, the task is cancelled at once. It runs nevertheless, because the middleware
    /// that the request has entered counts on its end.
    ///
    /// It is the only unstructured task of the server: it is counted, kept in `shared`, and cancelled when the client
    /// leaves, at the deadline and at the end of a drain.
    private func start(_ work: @escaping @Sendable () async throws -> Response) {
        server.suspended.tasks.add(1, ordering: .relaxed)
        let settlement = Settlement()
        let task = Task {
            do {
                finish(.success(try await Settlement.$current.withValue(settlement, operation: work)))
            } catch {
                finish(.failure(error))
            }
        }
        let phase = shared.withLock { shared in
            shared.task = task
            shared.settlement = settlement
            return shared.state.phase
        }
        // Another thread decided between the start and here, and found no task to cancel.
        guard phase != .waiting else { return }
        if phase.isRefused { settlement.settle() }
        task.cancel()
    }

    /// Ends the task with its response.
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
        server.suspended.tasks.subtract(1, ordering: .releasing)
    }

    /// Reports an event to the state machine and performs its action.
    ///
    /// `work` produces the response, with `.suspended` only; `response` is that of the task, with `.finished` only.
    private func perform(
        _ event: ExchangeState.Event,
        starting work: (@Sendable () async throws -> Response)? = nil,
        with response: Response? = nil
    ) {
        let (action, task, handle) = shared.withLock { shared in
            let action = shared.state.on(event)
            if action == .resume { shared.response = response }
            if action == .resume || action == .cancelAndResume { server.suspended.willResume() }
            if shared.state.phase.isRefused { shared.settlement?.settle() }
            return (action, shared.task, shared.handle)
        }
        switch action {
        case .start:
            if let work { start(work) }
        case .resume:
            if let work { start(work) }
            if let handle { server.suspended.resume(handle) }
        case .cancelAndResume:
            task?.cancel()
            if let handle { server.suspended.resume(handle) }
        case .cancel:
            task?.cancel()
        case .discard:
            response?.content.release()
        case .none:
            break
        }
    }

    /// Sends the response that was decided before the resume.
    private func resumed(connection handle: ConnectionHandle) -> Bool {
        let (decision, response) = shared.withLock { ($0.state.nextDecision(), $0.response.take()) }
        switch decision {
        case .response:
            guard let response else { return false }
            isPromised = false
            return queue(response, connection: handle)
        case .deadline:
            return refuse(.deadlineExceeded, connection: handle)
        case .draining:
            return refuse(.draining, connection: handle)
        case .nothing, nil:
            return false
        }
    }

    // MARK: The end

    /// Counts the end of the request and releases its resources.
    ///
    /// The request may not have reached the responder: the library itself answers some faults of fields and content,
    /// and a client may disconnect at any time.
    func complete(_ termination: Termination, status: Int) {
        if isRegistered {
            perform(.completed)
            server.suspended.remove(connection: connection.number)
            // Resumed with a response, but the connection had ended before the handler was called.
            shared.withLock { $0.response.take() }?.content.release()
        }
        let ending = ExchangeEnd(
            termination: termination,
            refusal: refusal,
            libraryStatus: stage == .response || refusal != nil ? 0 : status,
            isExpired: connection.isExpired,
            isFailed: isFailed || stream?.isFailed == true
        )
        server.counters.count(ending.outcome)
        memory = nil
        connection.releaseMemory()
        connection.requestEnded(isServed: ending.outcome == .completed)
        if stage != .head { server.counters.activeRequests.subtract(1, ordering: .releasing) }
    }
}

extension Exchange: SuspendableExchange {
    func clientLeft() {
        perform(.clientLeft)
    }

    func tick(_ now: Instant) {
        if shared.withLock({ $0.deadline }) < now { perform(.deadlinePassed) }
    }

    func stop() {
        perform(.stopped)
    }
}
