import HTTPExchange
import Synchronization
import TestSupport
import Testing

@testable import MicroHTTPServer

/// A client that leaves while nothing is sent to it.
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

    @Test("A promised answer's task is cancelled when its client leaves", arguments: Way.allCases)
    func later(way: Way) async throws {
        let begun = Atomic(0)
        let cancelled = Atomic(0)
        try await withServer(answer: { request in
            guard request.target.path == "/" else { return .now(.text("hello")) }
            return .later {
                begun.add(1, ordering: .sequentiallyConsistent)
                do {
                    try await Task.sleep(for: .seconds(60))
                } catch {
                    cancelled.add(1, ordering: .sequentiallyConsistent)
                }
                return .text("too late")
            }
        }) { fixture in
            let connection = try fixture.connect()
            // The second time on the same connection, which the watch knows already.
            #expect(try connection.exchange(get("/now")).text == "hello")
            try connection.send(get())
            let hasBegun = eventually { begun.load(ordering: .sequentiallyConsistent) == 1 }
            #expect(hasBegun)
            #expect(fixture.statistics.waiting == 1)
            let left = ContinuousClock.now
            way.leave(connection)
            let isCancelled = eventually { cancelled.load(ordering: .sequentiallyConsistent) == 1 }
            #expect(isCancelled)
            #expect(.now - left < .milliseconds(500))
            #expect(eventually { fixture.statistics.waiting == 0 && fixture.statistics.clientGone == 1 })
            if way == .halfClose { #expect(try connection.readToEnd().isEmpty) }
            #expect(eventually { fixture.statistics.openConnections == 0 })
        }
    }

    @Test("A stream is closed when its client leaves, though it has nothing to send", arguments: Way.allCases)
    func stream(way: Way) async throws {
        let stream = ScriptedStream()
        try await withServer(answer: { _ in .now(Response(content: .stream(stream))) }) { fixture in
            let connection = try fixture.connect()
            try connection.send(get())
            _ = try connection.read(through: "\r\n\r\n")
            #expect(eventually { stream.snapshot.isAsked })
            way.leave(connection)
            #expect(eventually { stream.snapshot.closes == 1 })
            #expect(eventually { fixture.statistics.clientGone == 1 && fixture.statistics.openConnections == 0 })
        }
        #expect(stream.snapshot.readsAfterClose == 0)
    }

    @Test(
        "A client that was gone before the answer was promised is noticed: it closed its half right after its request"
    )
    func goneBefore() async throws {
        let cancelled = Atomic(0)
        try await withServer(answer: { _ in
            .later {
                do {
                    try await Task.sleep(for: .seconds(60))
                } catch {
                    cancelled.add(1, ordering: .sequentiallyConsistent)
                }
                return .text("too late")
            }
        }) { fixture in
            let connection = try fixture.connect()
            // Both are received before the first is answered, so the second begins with the client gone.
            try connection.send(get() + get())
            connection.halfClose()
            #expect(try connection.readToEnd().isEmpty)
            #expect(eventually { fixture.statistics.openConnections == 0 && fixture.statistics.waiting == 0 })
        }
    }

    @Test(
        "A client that leaves in the middle of its request leaves nothing behind",
        arguments: [
            "GET", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12",
        ]
    )
    func middleOfRequest(part: String) async throws {
        // When the part and the end arrive together the library reads the part alone, and the end is no new event for
        // its edge-triggered epoll: then it is the deadline that ends the connection.
        try await withServer(configure: { $0.requestTimeout = .milliseconds(500) }) { fixture in
            for (index, way) in Way.allCases.enumerated() {
                let connection = try fixture.connect()
                try connection.send(part)
                #expect(eventually { fixture.statistics.acceptedConnections == index + 1 })
                way.leave(connection)
                #expect(eventually { fixture.statistics.openConnections == 0 })
            }
            #expect(fixture.statistics.activeRequests == 0)
        }
    }
}
