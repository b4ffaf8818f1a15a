import Testing

@testable import SpringbarClient

@Suite("The stream of a bar")
struct BarWatchTests {
    @Test(
        "A line has a revision, ends the stream, or is ignored",
        arguments: [
            (#"data: {"revision":3,"state":{}}"#, 3), (#"data:{"revision":4}"#, 4), ("event: end", .max),
            ("event: state", nil), (": a comment", nil), ("id: 3", nil), ("", nil), ("data: {", nil),
            (#"data: {"reason":"deleted"}"#, nil),
        ] as [(String, Int?)]
    )
    func lines(text: String, revision: Int?) {
        #expect(Connection.revision(Array(text.utf8)[...]) == revision)
    }

    @Test("The stream of a session that has ended is opened again only for another session", .timeLimit(.minutes(1)))
    @MainActor
    func ended() async {
        let transport = Streams(hasSessions: false)
        let session = WatchedSession()
        let task = Task {
            await Connection(base: "http://service", transport: transport).watch {
                session.nextID()
            } hear: { revision in
                session.heard.append(revision)
            }
        }
        var opened = transport.events.makeAsyncIterator()
        #expect(await opened.next() == "/v1/bars/a/stream")
        #expect(await opened.next() == "/v1/bars/b/stream")
        #expect(session.heard.first == .max)
        task.cancel()
    }

    @Test(
        "Streams that end at once are opened again after pauses that grow, and are at least as long as required",
        .timeLimit(.minutes(1)),
        arguments: [(nil, 2...4), (60, 60...60.25), (2.5e11, 2e6...2e6)] as [(Double?, ClosedRange<Double>)]
    )
    @MainActor
    func brief(retryAfter: Double?, pause: ClosedRange<Double>) async {
        let transport = BriefStreams(retryAfter: retryAfter)
        let task = Task {
            await Connection(base: "", transport: transport, clock: transport).watch {
                "a"
            } hear: { _ in
            }
        }
        var count = 0
        for await seconds in transport.pauses {
            count += 1
            guard count == 5 else { continue }
            #expect(pause.contains(seconds))
            break
        }
        task.cancel()
    }

    @Test("The stream of a bar that is no longer referred to is closed", .timeLimit(.minutes(1)))
    @MainActor
    func droppedBar() async throws {
        let transport = Streams(hasSessions: true)
        var bar: Bar? = Springbar(transport: transport).bar(try .feed(), id: "a")
        let observation = bar?.follow()
        var events = transport.events.makeAsyncIterator()
        #expect(await events.next() == "/v1/bars/a/stream")
        bar = nil
        #expect(await events.next() == "closed")
        observation?.end()
    }
}

/// A service that ends each stream after its first event, with a problem if it requires a pause; pauses take no time.
private struct BriefStreams: Transport, ClientClock {
    let retryAfter: Double?
    /// The pauses of the client.
    let pauses: AsyncStream<Double>
    private let continuation: AsyncStream<Double>.Continuation
    let now = 0.0

    init(retryAfter: Double?) {
        self.retryAfter = retryAfter
        (pauses, continuation) = AsyncStream.makeStream(of: Double.self)
    }

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse { throw .cancelled }

    func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { stream in
            stream.yield(Array("event: state\ndata: {\"revision\":1}\n".utf8))
            let busy = Problem(status: 503, code: "overloaded", detail: "", retryAfter: retryAfter)
            stream.finish(throwing: retryAfter == nil ? nil : busy)
        }
    }

    func sleep(until time: Double) async throws {
        try Task.checkCancellation()
        continuation.yield(time)
    }
}

/// A service that keeps its streams open, or has no sessions, and fails all other requests.
private struct Streams: Transport {
    let hasSessions: Bool
    /// The paths of the streams that were opened, and the ends of those that the client has closed.
    let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init(hasSessions: Bool) {
        self.hasSessions = hasSessions
        (events, continuation) = AsyncStream.makeStream(of: String.self)
    }

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        throw .cancelled
    }

    func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error> {
        #expect(request.fields["X-Client"] == "springbar-swift/\(Springbar.version)")
        continuation.yield(request.path)
        return AsyncThrowingStream { stream in
            if hasSessions {
                stream.onTermination = { [continuation] _ in continuation.yield("closed") }
            } else {
                stream.finish(throwing: Problem(status: 404, code: "bar-not-found", detail: "There is no session."))
            }
        }
    }
}

/// A session with the id `a` the first three times that it is asked, and then another one.
@MainActor
private final class WatchedSession {
    var heard: [Int] = []
    private var count = 0

    func nextID() -> String {
        count += 1
        return count > 3 ? "b" : "a"
    }
}
