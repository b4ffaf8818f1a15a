import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

/// Tests the behaviour of every engine, including the fake one, because other tests rely on it.
@Suite("Shared engines")
struct SharedEngineTests {
    private let engine: any SharedEngine = FakeEngine { WallTime(milliseconds: 0) }
    private let key = SharedKey("a key")

    private func version(_ number: UInt64, _ writer: UInt64 = 7) -> SharedVersion {
        SharedVersion(high: number, low: writer)
    }

    private func value(_ number: UInt64, _ text: String = "", writer: UInt64 = 7) -> SharedValue {
        SharedValue(version(number, writer), Array(text.utf8))
    }

    @Test("A value is created once")
    func create() async throws {
        #expect(try await engine.read(key) == nil)
        #expect(try await engine.create(key, value(0, "first"), timeToLive: .seconds(60)) == .created)
        let second = try await engine.create(key, value(0, "second", writer: 8), timeToLive: .seconds(60))
        #expect(second == .exists(value(0, "first")))
        #expect(try await engine.read(key) == value(0, "first"))
    }

    @Test("A write needs the present version, all 16 bytes of it")
    func compare() async throws {
        _ = try await engine.create(key, value(1), timeToLive: .seconds(60))
        let next = value(2, "next")
        for base in [version(0), version(1, 8), version(2)] {
            let write = SharedWrite(base: base, value: next, timeToLive: .seconds(60), appending: [[1]])
            #expect(try await engine.exchange(key, write) == .conflict(value(1)))
        }
        let write = SharedWrite(base: version(1), value: next, timeToLive: .seconds(60), appending: [[1]])
        #expect(try await engine.exchange(key, write) == .done)
        #expect(try await engine.readWithLog(key) == SharedEntry(next, log: [[1]]))
        #expect(try await engine.exchange(key, write) == .conflict(next))
    }

    @Test(
        "A write drops the oldest entries and appends others",
        arguments: [0, 1, 2, 3],
        [[], [[9]], [[9], [8, 8], [0, 13, 10, 255]]] as [[[UInt8]]]
    )
    func log(dropping: Int, appending: [[UInt8]]) async throws {
        _ = try await engine.create(key, value(0), timeToLive: .seconds(60))
        let old: [[UInt8]] = [[1], [2, 2], [3]]
        var write = SharedWrite(base: version(0), value: value(1), timeToLive: .seconds(60), appending: old)
        #expect(try await engine.exchange(key, write) == .done)
        write = SharedWrite(
            base: version(1),
            value: value(2),
            timeToLive: .seconds(60),
            dropping: dropping,
            appending: appending
        )
        #expect(try await engine.exchange(key, write) == .done)
        let expected = SharedEntry(value(2), log: old.dropFirst(dropping) + appending)
        #expect(try await engine.readWithLog(key) == expected)
    }

    @Test("A deletion needs the present version")
    func delete() async throws {
        #expect(try await engine.delete(key, base: version(1)) == .missing)
        _ = try await engine.create(key, value(1), timeToLive: .seconds(60))
        #expect(try await engine.delete(key, base: version(0)) == .conflict(value(1)))
        #expect(try await engine.delete(key, base: version(1)) == .done)
        #expect(try await engine.read(key) == nil)
        let write = SharedWrite(base: version(1), value: value(2), timeToLive: .seconds(60))
        #expect(try await engine.exchange(key, write) == .missing)
    }

    @Test("A watch gets ready, then every write with its note, and the deletion")
    func watch() async throws {
        _ = try await engine.create(key, value(0), timeToLive: .seconds(60))
        let events = Received()
        let watch = engine.watch(key) { events.append($0) }
        #expect(eventually { events.all == [.ready] })
        let write = SharedWrite(base: version(0), value: value(1), timeToLive: .seconds(60), note: [5, 6])
        _ = try await engine.exchange(key, write)
        _ = try await engine.delete(key, base: version(1))
        #expect(eventually { events.all == [.ready, .written(value(1).bytes + [5, 6]), .deleted] })
        engine.unwatch(watch)
        _ = try await engine.create(key, value(0), timeToLive: .seconds(60))
        _ = try await engine.exchange(key, write)
        let last = Received()
        _ = engine.watch(key) { last.append($0) }
        #expect(eventually { last.all == [.ready] })
        #expect(events.all.count == 3)
    }

    @Test("A lease has one holder, which can renew and release it")
    func lease() async throws {
        let (mine, other) = (SharedLease(key, token: version(1)), SharedLease(key, token: version(2)))
        #expect(try await engine.take(mine, for: .seconds(60)))
        #expect(try await engine.take(mine, for: .seconds(60)))
        #expect(try await !engine.take(other, for: .seconds(60)))
        #expect(try await engine.renew(mine, for: .seconds(60)))
        #expect(try await !engine.renew(other, for: .seconds(60)))
        try await engine.release(other)
        #expect(try await engine.renew(mine, for: .seconds(60)))
        try await engine.release(mine)
        #expect(try await engine.take(other, for: .seconds(60)))
        #expect(try await !engine.renew(mine, for: .seconds(60)))
    }

    @Test("The version of a value is its first 16 bytes")
    func versions() {
        let version = SharedVersion(high: 0x0102_0304_0506_0708, low: 0xFFFE_FDFC_FBFA_F9F8)
        #expect(version.bytes == [1, 2, 3, 4, 5, 6, 7, 8, 255, 254, 253, 252, 251, 250, 249, 248])
        let value = SharedValue(version, [42])
        #expect(SharedValue(stored: value.bytes) == value)
        #expect(Array(value.content) == [42])
        #expect(SharedValue(stored: Array(value.bytes.prefix(15))) == nil)
    }
}

/// The events of a watch.
private final class Received: Sendable {
    private let events = Mutex<[SharedEvent]>([])

    var all: [SharedEvent] { events.withLock { $0 } }

    func append(_ event: SharedEvent) {
        events.withLock { $0.append(event) }
    }
}
