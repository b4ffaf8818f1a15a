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
