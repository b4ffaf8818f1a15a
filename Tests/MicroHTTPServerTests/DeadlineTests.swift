import Foundation
import HTTPExchange
import Logging
import MicroHTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite struct DeadlineTests {
    /// Sends a byte every 20 ms on a new connection; returns the time until the server ends it.
    private func drip(_ text: String, to fixture: ServerFixture) throws -> Duration {
        let start = ContinuousClock.now
        let connection = try fixture.connect()
        for byte in Array(text.utf8) {
            do { try connection.send([byte]) } catch { break }
            // This does not synchronise: the test needs a slow sender. The condition is true once the server has
            // closed.
            if connection.isClosed(within: .milliseconds(20)) { break }
        }
        return .now - start
    }

    @Test(
        "a client that sends a byte at a time does not keep a connection open, in any part of a request",
        arguments: [
            "GET /" + String(repeating: "a", count: 1000),
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X-A: b\r\n", count: 200),
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000),
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "1\r\nx\r\n", count: 200),
            String(repeating: "\r\n", count: 500),
        ]
    )
    func slowRequest(text: String) async throws {
        try await withServer(configure: { $0.requestTimeout = .milliseconds(300) }) { fixture in
            let time = try drip(text, to: fixture)
            // The whole text would take more than 20 s.
            #expect(time >= .milliseconds(290) && time < .seconds(15), "\(time)")
            #expect(eventually { fixture.statistics.openConnections == 0 })
        }
    }

    @Test("a request that expires after its request line is counted as timed out")
    func counted() async throws {
        try await withServer(configure: { $0.requestTimeout = .seconds(1) }) { fixture in
            let connection = try fixture.connect()
            try connection.send("GET / HTTP/1.1\r\nHost:")
            #expect(connection.isClosed())
            #expect(eventually { fixture.statistics.exchanges[.timedOut] == 1 })
            #expect(fixture.statistics.exchanges[.clientGone] == 0)
        }
    }

    private static func shortTimeouts(_ configuration: inout Server.Configuration) {
        configuration.requestTimeout = .milliseconds(200)
        configuration.idleTimeout = .milliseconds(1500)
    }

    @Test("a connection without any bytes is closed after the idle time-out, not after that of a request")
    func silent() async throws {
        try await withServer(configure: Self.shortTimeouts) { fixture in
            let fresh = try fixture.connect()
            let used = try fixture.connect()
            let start = ContinuousClock.now
            #expect(try used.exchange(get()).status == 200)
            for connection in [fresh, used] {
                #expect(connection.isClosed())
                #expect(.now - start >= .milliseconds(1400))
            }
        }
    }

    @Test("a connection is idle from the end of a long response on")
    func idleAfterAStream() async throws {
        let stream = ScriptedStream()
        try await withServer(
            configure: {
                Self.shortTimeouts(&$0)
                $0.idleTimeout = .seconds(3)
            },
            answer: { $0.target.path == "/" ? .now(Response(content: .stream(stream))) : .now(.text("hello")) }
        ) { fixture in
            let connection = try fixture.open()
            #expect(connection.isSilent(for: .milliseconds(3100)))
            stream.add(.end)
            #expect(try connection.readChunk().isEmpty)
            #expect(connection.isSilent(for: .milliseconds(800)))
            #expect(try connection.exchange(get("/next")).text == "hello")
        }
    }

    @Test("a request that begins after a pause has its own time, and no more")
    func afterPause() async throws {
        try await withServer(configure: Self.shortTimeouts) { fixture in
            let connection = try fixture.connect()
            #expect(try connection.exchange(get()).status == 200)
            #expect(connection.isSilent(for: .milliseconds(800)))
            // Within the idle time, in two parts.
            try connection.send("GET / HTTP/1.1\r\n")
            #expect(connection.isSilent(for: .milliseconds(50)))
            #expect(try connection.exchange("Host: a\r\n\r\n").status == 200)
            #expect(connection.isSilent(for: .milliseconds(800)))
            let start = ContinuousClock.now
            while .now - start < .seconds(10) {
                do { try connection.send("X") } catch { break }
                if connection.isClosed(within: .milliseconds(50)) { break }
            }
            // The rest of the idle time, and the time of a request: a sender of single bytes does not prolong it.
            #expect(.now - start < .seconds(5))
        }
    }

    @Test("the deadline starts again at the end of each request")
    func renewed() async throws {
        try await withServer(configure: {
            $0.requestTimeout = .milliseconds(1500)
            $0.idleTimeout = .milliseconds(1500)
        }) { fixture in
            let connection = try fixture.connect()
            let start = ContinuousClock.now
            while .now - start < .milliseconds(2000) {
                #expect(try connection.exchange(get()).status == 200)
                #expect(connection.isSilent(for: .milliseconds(100)))
            }
            // The connection ends if no request follows.
            #expect(connection.isClosed())
        }
    }

    @Test("an asynchronous response that takes too long is replaced once, and its task is cancelled")
    func later() async throws {
        let cancelled = Atomic(0)
        try await withServer(
            configure: { $0.requestTimeout = .seconds(2) },
            answer: { request in
                guard request.target.path == "/" else { return .now(.text("hello")) }
                let memory = ClosureResponder.memory
                return .later {
                    do {
                        try await Task.sleep(for: .seconds(60))
                    } catch {
                        // The time-out is recorded before the cancellation, so that the cancelled task is not counted
                        // as a response.
                        if memory?.isRefused == true { cancelled.add(1, ordering: .sequentiallyConsistent) }
                    }
                    return .text("too late")
                }
            }
        ) { fixture in
            let connection = try fixture.connect()
            let response = try connection.exchange(get())
            #expect(response.status == 504)
            #expect(response.text == "deadlineExceeded")
            let isCancelled = eventually { cancelled.load(ordering: .sequentiallyConsistent) == 1 }
            #expect(isCancelled)
            #expect(try connection.exchange(get("/next")).text == "hello", "the connection is kept")
            #expect(fixture.statistics.exchanges[.refused] == 1)
        }
    }

    @Test("a task may outlive its server")
    func outlives() async throws {
        let gate = Gate()
        let ended = Atomic(false)
        try await withServer(
            configure: { $0.drainDeadline = .milliseconds(50) },
            answer: { _ in
                .later {
                    await gate.wait()
                    ended.store(true, ordering: .sequentiallyConsistent)
                    return .text("too late")
                }
            }
        ) { fixture in
            let connection = try fixture.connect()
            try connection.send(get())
            #expect(eventually { fixture.statistics.waiting == 1 })
            await fixture.server.drain()
            #expect(try connection.readResponse().status == 503)
        }
        gate.open()
        await blocking {
            let hasEnded = eventually { ended.load(ordering: .sequentiallyConsistent) }
            #expect(hasEnded)
        }
    }

    @Test("an asynchronous response that throws becomes a 500, and the error is only logged")
    func throwing() async throws {
        struct Secret: Error, CustomStringConvertible { let description = "the secret" }
        let log = RecordedLog()
        try await withServer(logger: log.logger, answer: { _ in .later { throw Secret() } }) { fixture in
            let response = try fixture.connect().exchange(get())
            #expect(response.status == 500)
            #expect(!response.text.contains("secret"))
        }
        #expect(log.lines.contains { $0.level == .error && $0.message == "a promised response failed" })
    }

    @Test("a response of which nothing is read ends after the time of a request, and one that is read slowly does not")
    func stalledReader() async throws {
        try await withServer(
            configure: {
                $0.requestTimeout = .seconds(1)
                $0.socketBufferBytes = 64 << 10
            },
            answer: { _ in .now(Response(content: .bytes([UInt8](repeating: 1, count: 8_000_000)))) }
        ) { fixture in
            let (stalled, slow) = (try fixture.connect(receiveBuffer: 4096), try fixture.connect(receiveBuffer: 8192))
            for connection in [stalled, slow] { try connection.send(get()) }
            // The window of the slow reader is always smaller than a segment.
            func read(while condition: () -> Bool) throws {
                let end = ContinuousClock.now + .seconds(30)
                repeat {
                    #expect(try slow.read(count: 2000).count == 2000)
                    usleep(50_000)
                } while condition() && .now < end
            }
            try read { fixture.statistics.exchanges[.timedOut] != 1 }
            let start = ContinuousClock.now
            // Several times as long as nothing may be read.
            try read { .now - start < .seconds(4) }
            #expect(fixture.statistics.exchanges[.timedOut] == 1 && fixture.statistics.openConnections == 1)
            withExtendedLifetime(stalled) {}
        }
    }

    @Test("a connection that does not read is closed after the idle time-out")
    func idleReader() async throws {
        try await withServer(
            configure: { $0.idleTimeout = .seconds(1) },
            answer: { _ in
                .now(Response(content: .bytes([UInt8](repeating: 1, count: 8_000_000))))
            }
        ) { fixture in
            let connection = try fixture.connect(receiveBuffer: 4096)
            try connection.send(get())
            #expect(eventually { fixture.statistics.exchanges[.timedOut] == 1 })
            #expect(eventually { fixture.statistics.openConnections == 0 })
            connection.close()
        }
    }
}
