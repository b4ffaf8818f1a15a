import HTTPExchange
import MicroHTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite struct DrainTests {
    @Test("the hook is called first, then no connection is accepted")
    func order() async throws {
        let connectedInHook = Atomic(false)
        let port = Atomic(0)
        try await withServer(configure: {
            $0.onDrain = {
                let connection = try? RawConnection(port: port.load(ordering: .sequentiallyConsistent))
                connectedInHook.store(connection != nil, ordering: .sequentiallyConsistent)
            }
        }) { fixture in
            port.store(fixture.address.port, ordering: .sequentiallyConsistent)
            await fixture.server.drain()
            let wasConnected = connectedInHook.load(ordering: .sequentiallyConsistent)
            #expect(wasConnected)
            #expect(throws: RawConnection.Failure.self) { try fixture.connect() }
        }
    }

    @Test("a hundred open streams send their last event and end in less than five seconds")
    func streams() async throws {
        let farewell = Array("event: end\n\n".utf8)
        let streams = Lock<[ScriptedStream]>([])
        try await withServer(
            configure: { $0.drainDeadline = .seconds(60) },
            answer: { _ in
                let stream = ScriptedStream(farewell: [.bytes(farewell), .end])
                streams.withLock { $0.append(stream) }
                return .now(Response(content: .stream(stream)))
            }
        ) { fixture in
            let connections = try (0..<100).map { _ in try fixture.open() }
            let start = ContinuousClock.now
            await fixture.server.drain()
            #expect(.now - start < .seconds(20))
            for connection in connections {
                #expect(try connection.readChunk() == farewell)
                #expect(try connection.readChunk().isEmpty)
                #expect(connection.isClosed())
            }
            #expect(streams.withLock { $0.allSatisfy { $0.snapshot.closes == 1 && $0.snapshot.drains == 1 } })
            #expect(fixture.statistics.exchanges[.completed] == 100)
        }
    }

    @Test("a stream that does not end is closed at the deadline")
    func stubbornStream() async throws {
        let stream = ScriptedStream(farewell: [])
        try await withServer(
            configure: { $0.drainDeadline = .milliseconds(200) },
            answer: { _ in
                .now(Response(content: .stream(stream)))
            }
        ) { fixture in
            let connection = try fixture.open()
            let start = ContinuousClock.now
            await fixture.server.drain()
            #expect(.now - start >= .milliseconds(190))
            #expect(.now - start < .seconds(20))
            #expect(try connection.readToEnd().isEmpty, "no last chunk")
            #expect(stream.snapshot.closes == 1)
        }
    }

    @Test(
        "a request in flight is answered and its connection closed; kept ones are served meanwhile, and a stream ends at once"
    )
    func inFlight() async throws {
        let gate = Gate()
        try await withServer(
            configure: { $0.drainDeadline = .seconds(60) },
            answer: { request in
                switch request.target.path {
                case "/stream": return .now(Response(content: .stream(ScriptedStream(farewell: [.bytes([33]), .end]))))
                case "/wait":
                    return .later {
                        await gate.wait()
                        return .text("in time")
                    }
                default: return .now(.text("hello"))
                }
            }
        ) { fixture in
            let waiting = try fixture.connect()
            let (kept, streaming) = (try fixture.connect(), try fixture.connect())
            try waiting.send(get("/wait"))
            for connection in [kept, streaming] { #expect(try connection.exchange(get()).text == "hello") }
            #expect(eventually { fixture.statistics.waiting == 1 })
            async let drained: Void = fixture.server.drain()
            #expect(eventually { (try? fixture.connect()) == nil })
            #expect(try streaming.exchange(get("/stream")).content == [33])
            let response = try kept.exchange(get())
            #expect(response.text == "hello")
            #expect(response.closes)
            gate.open()
            let answer = try waiting.readResponse()
            #expect(answer.text == "in time")
            #expect(answer.closes)
            await drained
        }
    }

    @Test("a request whose line has arrived is completed and answered; idle connections are closed")
    func arriving() async throws {
        try await withServer(configure: { $0.drainDeadline = .seconds(60) }) { fixture in
            let (idle, begun) = (try fixture.connect(), try fixture.connect())
            _ = try idle.exchange(get())
            try begun.send("GET / HTTP/1.1\r\nHost:")
            #expect(eventually { fixture.statistics.openConnections == 2 })
            async let drained: Void = fixture.server.drain()
            #expect(eventually { (try? fixture.connect()) == nil })
            #expect(idle.isClosed())
            try begun.send(" a\r\n\r\n")
            #expect(try begun.readResponse().closes)
            await drained
        }
    }

    @Test("of the requests of clients that go on, each one is answered or not served")
    func goingOn() async throws {
        let served = Atomic(0)
        try await withServer(answer: { _ in
            served.add(1, ordering: .sequentiallyConsistent)
            return .now(.text("hello"))
        }) { fixture in
            let answered = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        guard let connection = try? fixture.connect() else { return 0 }
                        var answered = 0
                        while let response = try? connection.exchange(get()) {
                            answered += 1
                            if response.closes { break }
                            try? await Task.sleep(for: .milliseconds(.random(in: 1...15)))
                        }
                        return answered
                    }
                }
                #expect(eventually { served.load(ordering: .sequentiallyConsistent) > 100 })
                await fixture.server.drain()
                return await group.reduce(0, +)
            }
            let all = served.load(ordering: .sequentiallyConsistent)
            #expect(all == answered)
        }
    }

    @Test("a request without a response at the deadline is cancelled and refused")
    func cancelled() async throws {
        let gate = Gate()
        try await withServer(
            configure: { $0.drainDeadline = .milliseconds(200) },
            answer: { _ in .hanging(at: gate) }
        ) { fixture in
            let connections = try (0..<10).map { _ in try fixture.connect() }
            for connection in connections { try connection.send(get()) }
            #expect(eventually { fixture.statistics.waiting == 10 })
            await fixture.server.drain()
            for connection in connections {
                let response = try connection.readResponse()
                #expect(response.status == 503)
                #expect(response.text == "draining")
            }
        }
        try await waitUntil { gate.cancellations == 10 }
    }

    @Test("a second drain, concurrent or later, has no effect; idle connections are closed")
    func twice() async throws {
        let hooks = Atomic(0)
        try await withServer(configure: {
            $0.onDrain = { hooks.add(1, ordering: .sequentiallyConsistent) }
        }) { fixture in
            let idle = try fixture.connect()
            #expect(try idle.exchange(get()).status == 200)
            async let first: Void = fixture.server.drain()
            async let second: Void = fixture.server.drain()
            _ = await (first, second)
            await fixture.server.drain()
            #expect(idle.isClosed())
            let count = hooks.load(ordering: .sequentiallyConsistent)
            #expect(count == 1)
            #expect(fixture.statistics.openConnections == 0)
        }
    }

    @Test("a server that was not started drains at once", .timeLimit(.minutes(1)))
    func neverStarted() async {
        let server = Server(
            configuration: .init(),
            responder: ClosureResponder { _ in .now(.text("")) },
            logger: RecordedLog().logger
        )
        await server.drain()
    }
}
