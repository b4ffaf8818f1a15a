import Glibc
import HTTPExchange
import MicroHTTPServer
import TestSupport
import Testing

/// Tests clients that disconnect while nothing is sent to them.
@Suite struct DisconnectTests {
    enum Way: CaseIterable, CustomTestStringConvertible {
        case close, reset, halfClose

        func leave(_ connection: RawConnection) {
            switch self {
            case .close: connection.close()
            case .reset: connection.reset()
            case .halfClose: connection.halfClose()
            }
        }

        var testDescription: String { "\(self)" }
    }

    @Test("the task of an asynchronous response is cancelled when its client disconnects", arguments: Way.allCases)
    func later(way: Way) async throws {
        let gate = Gate()
        try await withServer(answer: { request in
            request.target.path == "/" ? .hanging(at: gate) : .now(.text("hello"))
        }) { fixture in
            let connection = try fixture.connect()
            // The second request uses the same connection, which the monitor already has.
            #expect(try connection.exchange(get("/now")).text == "hello")
            try connection.send(get())
            #expect(eventually { gate.starts == 1 })
            #expect(fixture.statistics.waiting == 1)
            way.leave(connection)
            #expect(eventually { gate.cancellations == 1 })
            #expect(eventually { fixture.statistics.waiting == 0 && fixture.statistics.exchanges[.clientGone] == 1 })
            if way == .halfClose { #expect(try connection.readToEnd().isEmpty) }
            #expect(eventually { fixture.statistics.openConnections == 0 })
        }
    }

    @Test(
        "an idle stream is closed when its client disconnects, and its connection freed, even if an older one is idle",
        arguments: Way.allCases
    )
    func stream(way: Way) async throws {
        let stream = ScriptedStream()
        try await withIdleConnection(answer: stream) { fixture in
            let connection = try fixture.open()
            #expect(eventually { stream.snapshot.isAsked })
            way.leave(connection)
            #expect(eventually { stream.snapshot.closes == 1 })
            #expect(eventually { fixture.statistics.exchanges[.clientGone] == 1 })
            #expect(eventually { fixture.statistics.openConnections == 1 })
        }
        #expect(stream.snapshot.readsAfterClose == 0)
    }

    @Test("a connection is freed when its stream fails, even if an older connection is idle", arguments: [nil, 100])
    func failedStreamBesideIdle(length: Int?) async throws {
        let stream = ScriptedStream(length: length, [.bytes([1]), .fail])
        try await withIdleConnection(answer: stream) { fixture in
            let connection = try fixture.connect()
            try connection.send(get())
            #expect(eventually { stream.snapshot.closes == 1 && fixture.statistics.openConnections == 1 })
            withExtendedLifetime(connection) {}
        }
    }

    /// Runs a server with one worker and an idle connection, which the library visits instead of a closed one.
    private func withIdleConnection(
        answer stream: ScriptedStream,
        _ body: @Sendable (ServerFixture) async throws -> Void
    ) async throws {
        try await withServer(
            configure: { $0.threads = 1 },
            answer: { _ in .now(Response(content: .stream(stream))) }
        ) { fixture in
            let idle = try fixture.connect()
            #expect(eventually { fixture.statistics.openConnections == 1 })
            try await body(fixture)
            withExtendedLifetime(idle) {}
        }
    }

    @Test("a client that closes its half right after its request, before the response is created, is detected")
    func goneBefore() async throws {
        let gate = Gate()
        try await withServer(answer: { _ in .hanging(at: gate) }) { fixture in
            let connection = try fixture.connect()
            // Both requests are received before the first response, so the second one starts after the client
            // disconnected.
            try connection.send(get() + get())
            connection.halfClose()
            #expect(try connection.readToEnd().isEmpty)
            #expect(eventually { fixture.statistics.openConnections == 0 && fixture.statistics.waiting == 0 })
        }
    }

    // If a part and the end arrive together, the library reads only the part. Its edge-triggered epoll gets no new
    // event for the end. The deadline of a request is 30 s here, so only the sweep closes these connections in time.
    @Test(
        "a client that ends together with its last bytes is detected within a second",
        arguments: [
            "", "GET", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
        ],
        Way.allCases
    )
    func endWithData(part: String, way: Way) async throws {
        try await withServer { fixture in
            let count = 50
            var halfClosed: [RawConnection] = []
            for _ in 0..<count {
                let connection = try fixture.connect()
                try connection.send(part)
                way.leave(connection)
                if way == .halfClose { halfClosed.append(connection) }
            }
            #expect(eventually { fixture.statistics.acceptedConnections == count })
            #expect(eventually { fixture.statistics.openConnections == 0 })
            #expect(fixture.statistics.activeRequests == 0)
            guard part.hasPrefix("GET / HTTP/1.1\r\nHost: a\r\n\r\n") else { return }
            for connection in halfClosed { #expect(try connection.readResponse().text == "hello") }
        }
    }

    @Test("a client that closes its half before it reads gets the whole of a large response")
    func halfClosedReader() async throws {
        let bytes = [UInt8](repeating: 7, count: 8_000_000)
        try await withServer(answer: { _ in .now(Response(content: .bytes(bytes))) }) { fixture in
            let connection = try fixture.connect(receiveBuffer: 4096)
            try connection.send(get())
            connection.halfClose()
            // Reads in steps, so that several sweeps see the closed half while the response waits for its reader.
            _ = try connection.read(through: "\r\n\r\n")
            var count = 0
            let begin = ContinuousClock.now
            while ContinuousClock.now - begin < .milliseconds(700) {
                count += try connection.read(count: 1000).count
                usleep(10_000)
            }
            #expect(try connection.readToEnd().count == bytes.count - count)
            #expect(eventually { fixture.statistics.openConnections == 0 })
            #expect(eventually { fixture.statistics.exchanges[.completed] == 1 })
        }
    }
}
