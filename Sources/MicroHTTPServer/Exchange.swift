import CMicroHTTPD
import Glibc
import HTTPExchange
import HTTPTypes
import Network
import Primitives
import Synchronization

/// The exchanges of a connection, one after the other, each from its request line to the completed callback.
///
/// It belongs to the connection's worker: the library runs all callbacks of a connection on one thread, one after the
/// other, and does not re-enter them. Only `Connection` and `PromisedResponse` are accessed by other threads.
final class Exchange {
    /// The meaning of the next call of the handler.
    private enum Stage {
        case head, content, response
    }

    /// The state of one exchange.
    private struct Current {
        var stage = Stage.head
        /// The address in the library's buffer where the target ended, for comparison only: the library changes the
        /// bytes.
        var targetEnd: UInt = 0
        var target: ReceivedTarget?
        /// The request without its content, from its head on; nil while the responder has it.
        var request: Request?
        var isChunked = false
        /// The declared length of the content; the limit if none was declared.
        var expectedLength = 0
        /// The size of a head with chunked content.
        var size = HeadSize()
        /// The bytes that the head of the response may have.
        var headRoom = 0
        /// The refusal of the request: it is sent at once, or when all of the content has arrived.
        var refusal: Refusal?
        var isLast = false
        var stream: StreamBridge?
        /// The promise of the response, until the worker has taken the response.
        var promise: PromisedResponse?
        var isRegistered = false
        var isFailed = false
    }

    let connection: Connection
    private let server: ServerContext

    /// Exclusivity is not checked at run time, which would cost a call for each access; callbacks are not re-entered.
    @exclusivity(unchecked) private var current = Current()
    /// The target of the last request line, unless it is long or not plain.
    private var lastTarget: ReceivedTarget?
    /// The method of the last request, which most requests of a connection repeat.
    @exclusivity(unchecked) private var lastMethod = HTTPRequest.Method.get
    /// The memory of the last request, for the next one of the same client if nothing else refers to it.
    @exclusivity(unchecked) private var memory: RequestMemory?
    /// The content of the request until it is complete; then an empty array, with the memory of small content.
    @exclusivity(unchecked) private var content: [UInt8] = []
    /// No fields, with the memory of those of the last request.
    @exclusivity(unchecked) private var unusedFields = Fields()
    /// Whether the last request was served.
    private var isServed = false

    init(on connection: Connection) {
        self.connection = connection
        server = connection.server
    }

    // MARK: Receiving

    /// Begins an exchange with its target, which is raw and in the library's buffer.
    func begin(target: UnsafePointer<CChar>) {
        connection.requestBegan()
        let count = strlen(target)
        current.targetEnd = UInt(bitPattern: target) &+ UInt(count)
        current.target = received(target, count: count)
    }

    /// Returns the target of a request line.
    func received(_ text: UnsafePointer<CChar>, count: Int) -> ReceivedTarget {
        if let lastTarget, lastTarget.isSpelled(by: text, count: count) { return lastTarget }
        let new = ReceivedTarget(text)
        lastTarget = new.isPlain && count <= ReceivedTarget.keptLength ? new : nil
        return new
    }

    var awaitsHead: Bool { current.stage == .head }

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
        guard let received = current.target.take() else { return false }
        current.stage = .content
        server.counters.activeRequests.add(1, ordering: .relaxed)
        let isHTTP10 = strcmp(version, "HTTP/1.0") == 0
        var reader = FieldReader(after: version)
        swap(&reader.fields, &unusedFields)
        reader.read(from: handle, method: method)
        if !lastMethod.isSpelled(by: method) { lastMethod = HTTPRequest.Method(received: method) }

        // The request line is "method target version"; the library has replaced its spaces by zeros.
        if current.targetEnd &+ 1 != UInt(bitPattern: version) { reader.head.add(.controlInTarget) }
        if !received.isPlain {
            if let refusal = received.target.refusal(for: lastMethod) { reader.head.add(refusal) }
            // The authority of an absolute target replaces the field (RFC 9112, section 3.2.2).
            if let authority = received.target.authority { reader.fields[.host] = String(authority) }
        }
        let forwarded = connection.forwarded(in: &reader.fields)
        var request = Request(
            method: lastMethod,
            target: received.target,
            fields: reader.fields,
            from: forwarded?.client.description ?? connection.peer
        )
        if let forwarded { request.isSecure = forwarded.isSecure }
        prepareMemory(for: forwarded?.client)
        let headLimit = server.configuration.maxHeadBytes
        if let refusal = reader.size.refusal(limit: headLimit) { return refuseDirectly(refusal, of: request) }
        current.headRoom = reader.size.room(limit: headLimit)
        if let refusal = refusal(of: request, reader.head, isHTTP10: isHTTP10) {
            connection.requestArrived()
            return refuse(refusal, of: request, connection: handle)
        }
        current.isChunked = reader.head.isChunked
        if current.isChunked { current.size = reader.size }
        current.expectedLength = reader.head.contentLength ?? server.configuration.maxBodyBytes
        current.request = consume request
        return true
    }

    /// Provides the memory of the request, which `forwarded` or the peer pays.
    private func prepareMemory(for forwarded: IPAddress?) {
        let client = forwarded.map { ClientKey($0) } ?? connection.directClient
        if let memory, memory.account.client == client { return }
        connection.payer.withLock { $0 = client }
        memory = RequestMemory(MemoryAccount(server.configuration.memory, client: client))
    }

    /// Returns why the request is refused before its content is read; nil if it is accepted.
    private func refusal(of request: Request, _ head: RequestHead, isHTTP10: Bool) -> Refusal? {
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
        guard current.refusal == nil else { return }
        let limit = server.configuration.maxBodyBytes
        let count = content.count + bytes.count
        if count > limit {
            current.refusal = .contentTooLarge(limit: limit)
        } else if !makeRoom(for: count) {
            current.refusal = .overloaded
        } else {
            content.append(contentsOf: bytes)
            return
        }
        content = []
        memory?.releaseContent()
    }

    /// Makes room for `count` bytes of content; false if they do not fit into the memory budget.
    ///
    /// Memory grows as bytes arrive, at least doubles each time, and is at most the declared length.
    private func makeRoom(for count: Int) -> Bool {
        let capacity = content.capacity
        guard count > capacity else { return true }
        let size = max(count, min(2 * capacity, current.expectedLength))
        guard memory?.reserveContent(size) == true else { return false }
        content.reserveCapacity(size)
        return true
    }

    // MARK: Responding

    /// Responds to a complete request, or continues one after its connection was resumed.
    ///
    /// - Returns: false to have the library close the connection.
    func respond(connection handle: ConnectionHandle) -> Bool {
        guard current.stage == .content else { return resumed(connection: handle) }
        guard let memory, var request = current.request.take() else { return false }
        connection.requestArrived()
        // The library finds the end of chunked content more leniently than a proxy in front may: it accepts LF alone as
        // the line end in a chunk's head, and a trailer that begins with a zero byte as the end of the trailers. The
        // bytes that follow may belong to this request, so they are not served as another one.
        current.isLast = current.isChunked || connection.isReserve
        if current.isChunked {
            let limit = server.configuration.maxHeadBytes
            handle.addTrailers(to: &current.size)
            current.headRoom = current.size.room(limit: limit)
            guard current.headRoom >= HeadSize.leastRoom else {
                return refuseDirectly(HeadSize.tooLarge(limit: limit), of: request)
            }
        }
        if let refusal = current.refusal { return refuse(refusal, of: request, connection: handle) }
        current.stage = .response
        swap(&request.content, &content)
        switch server.responder.respond(to: request, memory: memory) {
        case .now(let response):
            swap(&request.content, &content)
            releaseContent()
            let isQueued = queue(consume response, to: request, connection: handle)
            reuse(&request.fields)
            return isQueued
        case .later(let work): return promise(work, to: request, in: memory, connection: handle)
        }
    }

    /// The most bytes of memory that a connection keeps for the content of its next request.
    private static let keptContent = 1024

    /// Releases the content of a request that was responded to; keeps the memory of small content.
    private func releaseContent() {
        if content.count > MemoryBudget.uncountedBytes { memory?.releaseContent() }
        if content.capacity > Self.keptContent { content = [] } else { content.removeAll(keepingCapacity: true) }
    }

    /// Keeps the memory of the fields for the next request.
    private func reuse(_ fields: inout Fields) {
        fields.removeAll()
        swap(&fields, &unusedFields)
    }

    private func refuse(_ refusal: Refusal, of request: Request, connection handle: ConnectionHandle) -> Bool {
        current.stage = .response
        current.refusal = refusal
        let response = server.responder.response(to: refusal, of: request, memory: memory)
        return queue(response, to: request, connection: handle)
    }

    /// Sends a refusal past the library; returns false, so that the library closes the connection.
    private func refuseDirectly(_ refusal: Refusal, of request: Request) -> Bool {
        current.stage = .response
        current.refusal = refusal
        let response = server.responder.response(to: refusal, of: request, memory: nil)
        response.sendDirectly(on: connection.descriptor, toHead: request.method == .head)
        return false
    }

    /// Passes the response to the library; `consuming`, so that it is not copied.
    private func queue(
        _ response: consuming Response,
        to request: Request,
        connection handle: ConnectionHandle
    ) -> Bool {
        let closes = current.isLast || server.isDraining.load(ordering: .relaxed)
        var outgoing = OutgoingResponse(response, toHead: request.method == .head, closes: closes) { stream in
            let bridge = StreamBridge(stream, connection: handle, server: server)
            current.stream = bridge
            return bridge
        }
        if outgoing.headBytes > current.headRoom { outgoing.removeLinks() }
        guard outgoing.headBytes <= current.headRoom else {
            outgoing.discard()
            current.stream = nil
            return refuseDirectly(.responseHeadTooLarge, of: request)
        }
        // Registered before the first pull: the drain must find every stream whose connection may be suspended.
        if let stream = current.stream { register(stream) }
        // A response that cannot be sent, such as one with a status of 1xx, is a fault of the application.
        current.isFailed = !outgoing.queue(on: handle)
        return !current.isFailed
    }

    /// Adds an exchange to the table of suspended ones; false when the table is closed.
    @discardableResult
    private func register(_ exchange: any SuspendableExchange) -> Bool {
        current.isRegistered = true
        let isAdded = server.suspended.add(exchange, connection: connection.number)
        if !isAdded { exchange.stop() }
        return isAdded
    }

    private func promise(
        _ work: @escaping PromisedResponse.Work,
        to request: consuming Request,
        in memory: RequestMemory,
        connection handle: ConnectionHandle
    ) -> Bool {
        // The work has the content, which is released with it.
        request.content = []
        current.request = request
        let promise = PromisedResponse(on: handle, memory: memory, server: server)
        current.promise = promise
        guard register(promise) else {
            promise.start(work)
            return refuse(.draining, of: request, connection: handle)
        }
        promise.suspend(starting: work)
        return true
    }

    /// Sends the response that was decided before the resume.
    private func resumed(connection handle: ConnectionHandle) -> Bool {
        guard let promise = current.promise, var request = current.request.take() else { return false }
        switch promise.takeDecision() {
        case (.response, let response?):
            current.promise = nil
            memory?.releaseContent()
            let isQueued = queue(response, to: request, connection: handle)
            reuse(&request.fields)
            return isQueued
        case (.deadline, _):
            return refuse(.deadlineExceeded, of: request, connection: handle)
        case (.draining, _):
            return refuse(.draining, of: request, connection: handle)
        case (.response, nil), (.nothing, _), (nil, _):
            return false
        }
    }

    // MARK: The end

    /// Counts the end of the request and releases its resources.
    ///
    /// The request may not have reached the responder: the library itself answers some faults of fields and content,
    /// and a client may disconnect at any time.
    func complete(_ termination: MHD_RequestTerminationCode, status: Int) {
        current.promise?.end()
        if current.isRegistered { server.suspended.remove(connection: connection.number) }
        let outcome = ExchangeOutcome(
            termination,
            refusal: current.refusal,
            libraryStatus: current.stage == .response ? 0 : status,
            isExpired: connection.isExpired,
            isFailed: current.isFailed || current.stream?.isFailed == true
        )
        server.counters.end(outcome, isActive: current.stage != .head)
        server.reportEnd()
        current = Current()
        if content.count > 0 { content = [] }
        // If the work of the request still runs, that releases the memory.
        if isKnownUniquelyReferenced(&memory) { memory?.release() } else { memory = nil }
        isServed = outcome == .completed
        connection.awaitRequest()
    }

    /// Whether the client may still be sending when the connection is closed.
    ///
    /// Then it has not read the response, if there is one: the server, or the library, has refused its request early.
    /// A client that has sent nothing since its last request was served has read that response, or will.
    var mayBeSending: Bool {
        if connection.isExpired { return false }
        var byte: UInt8 = 0
        let count = recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK))
        return count > 0 || count < 0 && errno == EAGAIN && !isServed
    }
}
