import HTTPExchange
import MicroHTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite struct SharedContentTests {
    @Test("shared bytes are kept until the last of them is sent to a slow reader, and then released")
    func retained() async throws {
        // More than the kernel buffers for a socket (tcp_wmem, 4 MiB), so that some bytes are unsent until the client
        // reads.
        let part = (0..<997).map { UInt8(truncatingIfNeeded: $0 / 11) }
        let bytes = [[UInt8]](repeating: part, count: 12_000).flatMap(\.self)
        let owner = Lock<SharedBytes?>(SharedBytes(bytes))
        let reference = WeakReference(owner.withLock { $0 })
        try await withServer(answer: { _ in
            // From here on, only the response refers to the bytes.
            guard let owner = owner.withLock({ $0.take() }) else { return .now(.text("again")) }
            return .now(Response(content: .shared(owner, 0..<bytes.count)))
        }) { fixture in
            let connection = try fixture.connect(receiveBuffer: 4096)
            try connection.send(get())
            #expect(try connection.read(through: "\r\n\r\n").contains("Content-Length: \(bytes.count)\r\n"))
            var received = try connection.read(count: 1000)
            #expect(owner.withLock { $0 == nil })
            #expect(reference.object != nil, "still being sent")
            while received.count < bytes.count {
                received += try connection.read(count: min(400_000, bytes.count - received.count))
            }
            #expect(received == bytes)
            #expect(eventually { reference.object == nil })
            #expect(try connection.exchange(get()).text == "again")
        }
    }

    @Test("shared bytes are released when the client disconnects in the middle")
    func clientLeaves() async throws {
        let references = Lock<[WeakReference]>([])
        try await withServer(answer: { _ in
            let owner = SharedBytes([UInt8](repeating: 1, count: 4_000_000))
            references.withLock { $0.append(WeakReference(owner)) }
            return .now(Response(content: .shared(owner, 0..<4_000_000)))
        }) { fixture in
            for leave in [RawConnection.close, RawConnection.reset] {
                let connection = try fixture.connect(receiveBuffer: 4096)
                try connection.send(get())
                _ = try connection.read(count: 1000)
                leave(connection)()
            }
            #expect(references.withLock(\.count) == 2)
            #expect(eventually { references.withLock { $0.allSatisfy { $0.object == nil } } })
            #expect(eventually { fixture.statistics.exchanges[.clientGone] == 2 })
        }
    }

    @Test("concurrent responses share one owner, each with its own part")
    func manyReaders() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let owner = SharedBytes(bytes)
        try await withServer(answer: { request in
            let start = Int(request.target.path.dropFirst()) ?? 0
            return .now(Response(content: .shared(owner, start..<(start + 100_000))))
        }) { fixture in
            let connections = try (0..<20).map { _ in try fixture.connect() }
            for (index, connection) in connections.enumerated() { try connection.send(get("/\(index * 1000)")) }
            for (index, connection) in connections.enumerated() {
                let start = index * 1000
                #expect(try connection.readResponse().content == Array(bytes[start..<(start + 100_000)]))
            }
        }
    }
}

/// Tells whether shared bytes have been released.
private struct WeakReference: Sendable {
    weak let object: SharedBytes?

    init(_ object: SharedBytes?) {
        self.object = object
    }
}
