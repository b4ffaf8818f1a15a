import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

/// The text of each key begins with the number of its engine.
@Suite("Several engines as one")
struct ShardedEngineTests {
    private let engines = (0..<3).map { number in
        FakeEngine { WallTime(milliseconds: 1000 * (number + 1)) }
    }
    private let engine: ShardedEngine

    init() {
        engine = ShardedEngine(engines) { key, count in
            #expect(count == 3)
            return Int(key.text.prefix(1)) ?? 0
        }
    }

    private func value(_ number: UInt64) -> SharedValue { SharedValue(SharedVersion(high: number, low: 7)) }

    private func write(_ base: UInt64, appending: [[UInt8]] = []) -> SharedWrite {
        SharedWrite(
            base: SharedVersion(high: base, low: 7),
            value: value(base + 1),
            timeToLive: .seconds(60),
            appending: appending
        )
    }

    @Test("Every call goes to the engine of its key", arguments: 0..<3)
    func calls(number: Int) async throws {
        let key = SharedKey("\(number)x", isCounted: true)
        #expect(try await engine.create(key, value(0), timeToLive: .seconds(60)) == .created)
        #expect(try await engine.exchange(key, write(0, appending: [[5]])) == .done)
        #expect(try await engine.read(key) == value(1))
        #expect(try await engine.readWithLog(key) == SharedEntry(value(1), log: [[5]]))
        for (index, part) in engines.enumerated() { #expect(part.keys == (index == number ? [key] : [])) }
        #expect(try await engine.delete(key, base: SharedVersion(high: 1, low: 7)) == .done)
        #expect(engines.map(\.calls.count) == (0..<3).map { $0 == number ? 5 : 0 })
    }

    @Test("A watch gets the events of its key, and ends on its engine")
    func watches() async throws {
        let received = Mutex<[String]>([])
        let watches = ["0a", "1a", "1b"].map { text in
            engine.watch(SharedKey(text)) { event in received.withLock { $0.append("\(text) \(event)") } }
        }
        #expect(engines.map(\.watchCount) == [1, 2, 0])
        // The engines number their watches independently.
        #expect(Set(watches).count == 3)
        engine.unwatch(watches[1])
        #expect(engines.map(\.watchCount) == [1, 1, 0])
        for text in ["0a", "1a", "1b"] {
            _ = try await engine.create(SharedKey(text), value(0), timeToLive: .seconds(60))
            _ = try await engine.delete(SharedKey(text), base: value(0).version)
        }
        #expect(received.withLock { $0 } == ["0a ready", "1a ready", "1b ready", "0a deleted", "1b deleted"])
    }

    @Test("An engine that is away fails the calls of its keys only", arguments: 0..<3)
    func away(number: Int) async throws {
        engines[number].onCall { _ in .fails(.unavailable) }
        for other in 0..<3 {
            let key = SharedKey("\(other)x")
            guard other == number else {
                #expect(try await engine.create(key, value(0), timeToLive: .seconds(60)) == .created)
                continue
            }
            await #expect(throws: SharedStateError.unavailable) {
                try await engine.create(key, value(0), timeToLive: .seconds(60))
            }
        }
    }

    @Test("The usage is that of all; an engine that is away has its last known usage")
    func usage() async throws {
        for (index, part) in engines.enumerated() {
            part.report(SharedUsage(keys: 10 + index, bytes: 100 * (index + 1), maxBytes: 400))
        }
        let all = try await engine.usage()
        #expect(all.keys == 33)
        #expect(all.bytes == 600)
        #expect(all.maxBytes == 1200)
        // The fullest one limits, because it is the one that refuses writes.
        #expect(all.memoryShare == 0.75)
        engines[0].onCall { _ in .fails(.unavailable) }
        engines[1].report(SharedUsage(keys: 1, bytes: 0, maxBytes: nil))
        let later = try await engine.usage()
        #expect(later.keys == 23)
        #expect(later.maxBytes == nil)
        #expect(later.memoryShare == 0.75)
        for part in engines { part.onCall { _ in .fails(.refused) } }
        await #expect(throws: SharedStateError.refused) { try await engine.usage() }
    }

    @Test("The time is that of the first engine")
    func time() {
        #expect(engine.now == WallTime(milliseconds: 1000))
    }

    private static let start = ContinuousClock.now

    private func status(
        _ isAvailable: Bool,
        since seconds: Int,
        hasConnected: Bool = true,
        latency: Int? = nil
    ) -> SharedStatus {
        SharedStatus(
            isAvailable: isAvailable,
            hasConnected: hasConnected,
            since: Self.start + .seconds(seconds),
            latency: latency.map { .milliseconds($0) },
            pending: 1,
            commands: 20,
            errors: 300,
            reconnects: 4000
        )
    }

    @Test("The status is available if all are; counters are summed")
    func statuses() {
        let up = SharedStatus(combining: [
            status(true, since: 1, latency: 2), status(true, since: 5), status(true, since: 3, latency: 4),
        ])
        #expect(up.isAvailable)
        #expect(up.since == Self.start + .seconds(5))
        #expect(up.latency == .milliseconds(3))
        #expect([up.pending, up.commands, up.errors, up.reconnects] == [3, 60, 900, 12000])
        let away = SharedStatus(combining: [
            status(true, since: 9), status(false, since: 7), status(false, since: 8, hasConnected: false),
        ])
        #expect(!away.isAvailable)
        #expect(away.hasConnected)
        #expect(away.since == Self.start + .seconds(7))
        #expect(away.latency == nil)
        #expect(!SharedStatus(combining: [status(false, since: 1, hasConnected: false)]).hasConnected)
    }
}
