import Glibc
import Network
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("Event loop", .timeLimit(.minutes(1)))
struct EventLoopTests {
    /// A loop with a thread that takes numbers from an inbox.
    private final class Summing: Sendable {
        let loop: EventLoop
        let inbox = Lock<[Int]>([])
        let sum = Lock(0)
        let waits = Lock(0)
        let hasEnded = Lock(false)

        init() throws {
            loop = try #require(EventLoop())
        }

        func start() -> Bool {
            loop.start(named: "sum") { [self] in
                // Without a wake-up the test would not end in time.
                while loop.wait(until: .now + .seconds(3600)) != nil {
                    waits.withLock { $0 += 1 }
                    let numbers = inbox.withLock { inbox in
                        defer { inbox = [] }
                        return inbox
                    }
                    sum.withLock { $0 += numbers.reduce(0, +) }
                }
                hasEnded.withLock { $0 = true }
            }
        }
    }

    @Test("No wake-up of any thread is missed, and a stop waits for the end")
    func wakeUps() async throws {
        let summing = try Summing()
        #expect(summing.start())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2000 {
                        summing.inbox.withLock { $0.append(1) }
                        summing.loop.wakeUp()
                    }
                }
            }
        }
        try await waitUntil { summing.sum.withLock { $0 } == 16_000 }
        summing.loop.stop()
        #expect(summing.hasEnded.withLock { $0 })
        summing.loop.stop()
    }

    @Test("A wait ends at its deadline, and for a descriptor with its id")
    func events() throws {
        let loop = try #require(EventLoop())
        let deadline = Instant.now + .milliseconds(20)
        #expect(loop.wait(until: deadline)?.isEmpty == true)
        #expect(Instant.now >= deadline)

        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { pair.forEach { _ = close($0) } }
        #expect(loop.descriptors.add(pair[0], id: 7, .read))
        #expect(!loop.descriptors.add(pair[0], id: 8, .read))
        #expect(loop.descriptors.events().isEmpty)
        #expect(write(pair[1], "x", 1) == 1)
        let events = try #require(loop.wait(until: .never))
        #expect(events.map(\.id) == [7] && events.allSatisfy(\.isReadable))
        loop.descriptors.change(pair[0], id: 9, .write)
        #expect(loop.descriptors.events().map { "\($0.id) \($0.isReadable)" } == ["9 false"])
        loop.descriptors.remove(pair[0])
        #expect(loop.descriptors.events().isEmpty)
        loop.end()
        #expect(loop.wait(until: .never) == nil)
    }

    @Test("An event of the edge is reported once, and the end of the peer is no data")
    func hangUp() throws {
        let polled = try #require(PollSet())
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { close(pair[0]) }
        polled.add(pair[0], id: 1, [.hangUp, .once])
        #expect(write(pair[1], "x", 1) == 1)
        #expect(polled.events().isEmpty)
        close(pair[1])
        #expect(polled.events().map(\.id) == [1])
        #expect(polled.events().isEmpty)
    }
}
