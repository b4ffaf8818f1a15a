import Foundation
import HTTPExchange
import MicroHTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

/// "It is an API violation to call MHD_stop_daemon while having suspended connections": the process aborts.
///
/// This suite passes only if that never happens.
///
/// The sanitizers also run on this suite: `SPRINGBAR_BUILD=address swift test --sanitize=address --no-parallel`,
/// and `--sanitize=thread -Xswiftc -DTHREAD_SANITIZER` (see `Lock`). `SPRINGBAR_DRAIN_ROUNDS` sets the number
/// of rounds.
@Suite struct DrainUnderLoadTests {
    private static let rounds = ProcessInfo.processInfo.environment["SPRINGBAR_DRAIN_ROUNDS"].flatMap(Int.init) ?? 10

    /// Responds immediately, later, never, with a stream that ends or does not, or with shared bytes.
    private static func answer(_ request: Request) -> Reply {
        switch request.target.path {
        case "/later":
            return .later {
                await Task.yield()
                return .text("later")
            }
        case "/slow":
            return .later {
                try? await Task.sleep(for: .milliseconds(5))
                return .text("slow")
            }
        case "/never":
            return .later {
                try await Task.sleep(for: .seconds(60))
                return .text("never")
            }
        case "/stream":
            return .now(Response(content: .stream(ScriptedStream([.bytes([1])], farewell: [.bytes([2]), .end]))))
        case "/ticking":
            return .now(Response(content: .stream(TickingStream())))
        case "/stubborn":
            return .now(Response(content: .stream(ScriptedStream(farewell: []))))
        case "/shared":
            let owner = SharedBytes([UInt8](repeating: 7, count: 50_000))
            return .now(Response(content: .shared(owner, 0..<50_000)))
        default:
            return .now(.json(request.content))
        }
    }

    private static let paths = ["/", "/later", "/slow", "/never", "/stream", "/ticking", "/stubborn", "/shared"]

    @Test("a drain during hundreds of waiting, streaming and fast requests always completes")
    func soak() async throws {
        var completed = 0
        for round in 0..<Self.rounds {
            var configuration = Server.Configuration(host: "127.0.0.1", port: 0)
            configuration.threads = 2
            configuration.requestTimeout = .milliseconds(300)
            configuration.heartbeatInterval = .milliseconds(20)
            configuration.drainDeadline = .milliseconds(50)
            let server = Server(
                configuration: configuration,
                responder: ClosureResponder(answer: Self.answer),
                logger: RecordedLog().logger
            )
            let address = try server.start()
            let isOver = Shared(false)
            await withTaskGroup(of: Void.self) { group in
                for client in 0..<8 {
                    group.addTask {
                        await blocking { Self.load(address, seed: UInt64(round * 100 + client), until: isOver) }
                    }
                }
                // This does not synchronise: the drain must start at a random moment of the load.
                try? await Task.sleep(for: .milliseconds(60 + round * 7 % 40))
                let start = ContinuousClock.now
                await server.drain()
                #expect(.now - start < .seconds(20))
                isOver.change { $0 = true }
            }
            let statistics = server.statistics
            #expect(statistics.openConnections == 0)
            #expect(statistics.activeRequests == 0)
            #expect(statistics.waiting == 0)
            completed += statistics.exchanges[.completed] ?? 0
        }
        #expect(completed > 0, "there was a load")
    }

    /// Keeps some fifty connections busy until the server no longer responds.
    private static func load(_ address: BoundAddress, seed: UInt64, until isOver: Shared<Bool>) {
        var generator = SeededGenerator(seed: seed)
        var connections: [RawConnection] = []
        while !isOver.current {
            if connections.count < 50 {
                guard let connection = try? RawConnection(host: address.host, port: address.port) else { return }
                connections.append(connection)
            }
            guard let index = connections.indices.randomElement(using: &generator),
                let path = paths.randomElement(using: &generator)
            else { continue }
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: connections.remove(at: index).close()
            case 1: connections.remove(at: index).reset()
            case 2: connections[index].halfClose()
            case 3: try? connections[index].send("GET /half")
            case 4: try? connections[index].send(post("{\"a\":1}"))
            default: try? connections[index].send(get(path))
            }
            _ = connections.randomElement(using: &generator)?.isClosed(within: .milliseconds(1))
        }
    }
}

/// A stream that another thread wakes continuously.
private final class TickingStream: ContentStream {
    let length: Int? = nil
    private let isEnding = Atomic(false)
    private let isReady = Atomic(false)

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        if isEnding.load(ordering: .relaxed) { return .finished }
        if isReady.exchange(false, ordering: .relaxed) {
            buffer[0] = 1
            return .copied(1)
        }
        Task.detached { [self] in
            isReady.store(true, ordering: .relaxed)
            wake()
        }
        return .pending
    }

    func drain() {
        isEnding.store(true, ordering: .relaxed)
    }

    func close() {}
}
