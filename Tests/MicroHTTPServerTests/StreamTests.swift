import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite struct StreamTests {
    private func withStream(
        _ stream: ScriptedStream,
        configure: (inout Server.Configuration) -> Void = { _ in },
        _ body: @Sendable (ServerFixture) async throws -> Void
    ) async throws {
        try await withServer(
            configure: configure,
            answer: { request in
                request.target.path == "/" ? .now(Response(content: .stream(stream))) : .now(.text("hello"))
            },
            body
        )
        #expect(stream.snapshot.closes == 1, "closed once")
        #expect(stream.snapshot.readsAfterClose == 0, "and last")
    }

    @Test("sent bytes arrive at once, in chunks, until the end")
    func pushes() async throws {
        let stream = ScriptedStream()
        try await withStream(stream) { fixture in
            let connection = try fixture.connect()
            try connection.send(get())
            #expect(try connection.read(through: "\r\n\r\n").contains("Transfer-Encoding: chunked"))
            for number in 0..<50 {
                let bytes = Array("push \(number)".utf8)
                stream.add(.bytes(bytes))
                #expect(try connection.readChunk() == bytes)
            }
            stream.add(.end)
            #expect(try connection.readChunk().isEmpty)
            #expect(try connection.exchange(get("/next")).text == "hello", "the connection is kept")
        }
    }

    @Test(
        "a stream that wakes before its read has returned, or that another thread wakes, loses nothing",
        arguments: [false, true]
    )
    func hasty(isElsewhere: Bool) async throws {
        try await withServer(answer: { _ in
            .now(Response(content: .stream(HastyStream(count: 1000, isElsewhere: isElsewhere))))
        }) { fixture in
            for _ in 0..<3 {
                let connection = try fixture.connect()
                #expect(try connection.exchange(get(), within: .seconds(20)).content.count == 1000)
            }
        }
    }

    @Test("a known length is sent, and the connection is kept after this number of bytes")
    func knownLength() async throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let stream = ScriptedStream(length: bytes.count, [.bytes(Array(bytes[..<40_000]))])
        try await withStream(stream) { fixture in
            let connection = try fixture.connect()
            try connection.send(get())
            #expect(try connection.read(through: "\r\n\r\n").contains("Content-Length: 100000\r\n"))
            #expect(try connection.read(count: 40_000) == Array(bytes[..<40_000]))
            stream.add(.bytes(Array(bytes[40_000...])))
            #expect(try connection.read(count: 60_000) == Array(bytes[40_000...]))
            #expect(try connection.exchange(get("/next")).text == "hello")
        }
    }

    @Test(
        "a stream that fails, or ends before its length, closes the connection short of it and without the last chunk",
        arguments: [(10, .fail), (10, .end), (nil, .fail)] as [(Int?, ScriptedStream.Step)]
    )
    func failure(length: Int?, last: ScriptedStream.Step) async throws {
        let stream = ScriptedStream(length: length, [.bytes([1, 2, 3]), last])
        try await withStream(stream) { fixture in
            let connection = try fixture.open()
            let rest = try connection.readToEnd()
            #expect(rest == (length == nil ? Array("3\r\n\u{1}\u{2}\u{3}\r\n".utf8) : [1, 2, 3]))
            #expect(eventually { fixture.statistics.exchanges[.failed] == 1 })
            #expect(fixture.statistics.exchanges[.completed] == 0)
        }
    }

    @Test("an open stream sends heartbeats, and outlives the request time-out")
    func heartbeats() async throws {
        let stream = ScriptedStream()
        try await withStream(
            stream,
            configure: {
                $0.heartbeatInterval = .milliseconds(40)
                $0.requestTimeout = .seconds(1)
            }
        ) { fixture in
            let connection = try fixture.open()
            for _ in 0..<30 { #expect(try connection.readChunk() == Array(":\n".utf8)) }
            #expect(fixture.statistics.exchanges[.timedOut] == 0)
            stream.add(.end)
        }
    }

    @Test("each of a hundred streams gets its own bytes")
    func many() async throws {
        let streams = Lock<[ScriptedStream]>([])
        try await withServer(answer: { _ in
            let stream = ScriptedStream()
            streams.withLock { $0.append(stream) }
            return .now(Response(content: .stream(stream)))
        }) { fixture in
            let connections = try (0..<100).map { _ in try fixture.open() }
            #expect(fixture.statistics.waiting == 100)
            for (index, stream) in streams.withLock({ $0 }).enumerated() {
                stream.add(.bytes(Array("\(index)".utf8)), .end)
            }
            var received: Set<String> = []
            for connection in connections {
                received.insert(String(decoding: try connection.readChunk(), as: UTF8.self))
                #expect(try connection.readChunk().isEmpty)
            }
            #expect(received.count == 100)
            #expect(eventually { fixture.statistics.waiting == 0 && fixture.statistics.exchanges[.completed] == 100 })
        }
    }

    @Test("a stream that is never read is closed, too: for a HEAD, a 304, a length of 0, and a late response")
    func neverPulled() async throws {
        let streams = Lock<[ScriptedStream]>([])
        try await withServer(
            configure: { $0.requestTimeout = .seconds(1) },
            answer: { request in
                let stream = ScriptedStream(length: request.target.path == "/empty" ? 0 : 5, [.end])
                streams.withLock { $0.append(stream) }
                switch request.target.path {
                case "/304": return .now(Response(status: .notModified, content: .stream(stream)))
                case "/late":
                    return .later {
                        try? await Task.sleep(for: .seconds(60))
                        return Response(content: .stream(stream))
                    }
                default: return .now(Response(content: .stream(stream)))
                }
            }
        ) { fixture in
            _ = try fixture.connect().exchange("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try fixture.connect().exchange(get("/304"))
            _ = try fixture.connect().exchange(get("/empty"))
            #expect(try fixture.connect().exchange(get("/late")).status == 504)
            #expect(eventually { streams.withLock { $0.map(\.snapshot.closes) } == [1, 1, 1, 1] })
        }
    }
}

/// A stream of single bytes.
///
/// Every other read has none, and the stream wakes before it returns this.
private final class HastyStream: ContentStream {
    let length: Int? = nil
    private let left: Lock<(bytes: Int, isReady: Bool)>
    private let isElsewhere: Bool

    init(count: Int, isElsewhere: Bool) {
        left = Lock((count, false))
        self.isElsewhere = isElsewhere
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        let (bytes, isReady) = left.withLock { left in
            defer { left.isReady.toggle() }
            if left.isReady { left.bytes -= 1 }
            return left
        }
        guard isReady else {
            if isElsewhere { Task.detached { wake() } } else { wake() }
            return .pending
        }
        guard bytes >= 0 else { return .finished }
        buffer[0] = UInt8(ascii: "x")
        return .copied(1)
    }

    func drain() {}
    func close() {}
}
