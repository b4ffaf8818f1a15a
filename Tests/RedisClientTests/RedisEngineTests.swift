import Glibc
import Logging
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import RedisClient

/// `RedisEngine` on a real server; its general cases are those of `SharedEngineTests`.
@Suite("Redis engine", .timeLimit(.minutes(2)))
struct RedisEngineTests {
    private let server: RedisServerProcess
    private let fixture: EngineFixture
    private let key = SharedKey("a key", isCounted: true)
    private let minute = Duration.seconds(60)

    private var engine: RedisEngine { fixture.engine }

    init() async throws {
        server = try RedisServerProcess(["--user", "reader", "on", ">pw", "~*", "&*", "+@all", "-lindex"])
        fixture = try await EngineFixture(server.url)
    }

    private func version(_ number: UInt64, _ writer: UInt64 = 7) -> SharedVersion {
        SharedVersion(high: number, low: writer)
    }

    private func value(_ number: UInt64, _ text: String = "", writer: UInt64 = 7) -> SharedValue {
        SharedValue(version(number, writer), Array(text.utf8))
    }

    private func write(_ base: UInt64, dropping: Int = 0, appending: [[UInt8]] = [], note: [UInt8] = []) -> SharedWrite
    {
        SharedWrite(
            base: version(base),
            value: value(base + 1, "next"),
            timeToLive: minute,
            dropping: dropping,
            appending: appending,
            note: note
        )
    }

    // MARK: Values

    @Test("A value is created once")
    func create() async throws {
        #expect(try await engine.read(key) == nil)
        #expect(try await engine.readWithLog(key) == nil)
        #expect(try await engine.create(key, value(0, "first"), timeToLive: minute) == .created)
        let second = try await engine.create(key, value(0, "second", writer: 8), timeToLive: minute)
        #expect(second == .exists(value(0, "first")))
        #expect(try await engine.read(key) == value(0, "first"))
        #expect(try await engine.readWithLog(key) == SharedEntry(value(0, "first"), log: []))
    }

    @Test("A write needs the present version, all 16 bytes of it")
    func compare() async throws {
        #expect(try await engine.exchange(key, write(1)) == .missing)
        _ = try await engine.create(key, value(1), timeToLive: minute)
        for base in [version(0), version(1, 8), version(2)] {
            let write = SharedWrite(base: base, value: value(2), timeToLive: minute, appending: [[1]])
            #expect(try await engine.exchange(key, write) == .conflict(value(1)))
        }
        #expect(try await engine.exchange(key, write(1, appending: [[1]])) == .done)
        #expect(try await engine.readWithLog(key) == SharedEntry(value(2, "next"), log: [[1]]))
        #expect(try await engine.exchange(key, write(1)) == .conflict(value(2, "next")))
    }

    @Test(
        "A write drops the oldest entries and appends others",
        arguments: [0, 1, 2, 3],
        [[], [[9]], [[9], [8, 8], [0, 13, 10, 255], []]] as [[[UInt8]]]
    )
    func log(dropping: Int, appending: [[UInt8]]) async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let old: [[UInt8]] = [[1], [2, 2], [3]]
        #expect(try await engine.exchange(key, write(0, appending: old)) == .done)
        #expect(try await engine.exchange(key, write(1, dropping: dropping, appending: appending)) == .done)
        let expected = SharedEntry(value(2, "next"), log: old.dropFirst(dropping) + appending)
        #expect(try await engine.readWithLog(key) == expected)
    }

    @Test("A write that would drop more entries than there are changes nothing")
    func dropsTooMuch() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        _ = try await engine.exchange(key, write(0, appending: [[1]]))
        await #expect(throws: SharedStateError.refused) { try await engine.exchange(key, write(1, dropping: 2)) }
        #expect(try await engine.readWithLog(key) == SharedEntry(value(1, "next"), log: [[1]]))
    }

    @Test("Thousands of entries are appended in one write")
    func longLog() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let entries = (0..<9001).map { Array(String($0).utf8) }
        #expect(try await engine.exchange(key, write(0, appending: entries)) == .done)
        #expect(try await engine.readWithLog(key)?.log == entries)
    }

    @Test("A deletion needs the present version")
    func delete() async throws {
        #expect(try await engine.delete(key, base: version(1)) == .missing)
        _ = try await engine.create(key, value(1), timeToLive: minute)
        #expect(try await engine.delete(key, base: version(0)) == .conflict(value(1)))
        #expect(try await engine.delete(key, base: version(1)) == .done)
        #expect(try await engine.read(key) == nil)
    }

    @Test("Redis ends a value after its time to live, which a write starts again")
    func timeToLive() async throws {
        let control = try await fixture.control(server.url)
        _ = try await engine.create(key, value(0), timeToLive: .seconds(100))
        let created = try await control.send(RedisCommand("PTTL", "test:a key"))
        _ = try await engine.exchange(key, write(0))
        let written = try await control.send(RedisCommand("PTTL", "test:a key"))
        guard case .integer(let first) = created, case .integer(let second) = written else { throw Unexpected() }
        #expect(60_000 < first && first <= 100_000)
        #expect(0 < second && second <= 60_000)
        let other = SharedKey("short")
        _ = try await engine.create(other, value(0), timeToLive: .nanoseconds(1))
        while try await engine.read(other) != nil { await Task.yield() }
        _ = try await engine.create(other, value(0), timeToLive: .seconds(Int64.max / 2))
        #expect(try await engine.read(other) == value(0))
    }

    @Test("Only one of many writers of a version succeeds")
    func race() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let done = await withTaskGroup(of: Int.self) { group in
            for writer in 0..<50 {
                group.addTask {
                    let next = value(1, writer: UInt64(writer))
                    let write = SharedWrite(base: version(0), value: next, timeToLive: minute, appending: [[1]])
                    return (try? await engine.exchange(key, write)) == .done ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(done == 1)
        #expect(try await engine.readWithLog(key)?.log == [[1]])
    }

    // MARK: Errors

    @Test("Values of other shapes are refused, and not changed")
    func otherShapes() async throws {
        let control = try await fixture.control(server.url)
        _ = try await control.send(RedisCommand("SET", "test:text", "x"))
        await #expect(throws: SharedStateError.refused) { try await engine.read(SharedKey("text")) }
        await #expect(throws: SharedStateError.refused) { try await engine.exchange(SharedKey("text"), write(0)) }
        _ = try await control.send(RedisCommand("RPUSH", "test:short", "x"))
        await #expect(throws: SharedStateError.refused) { try await engine.read(SharedKey("short")) }
        await #expect(throws: SharedStateError.refused) { try await engine.readWithLog(SharedKey("short")) }
        await #expect(throws: SharedStateError.refused) { try await engine.exchange(SharedKey("short"), write(0)) }
        #expect(try await control.send(RedisCommand("LLEN", "test:short")) == .integer(1))
    }

    @Test("Without memory a write is refused unless it ends the log; reads and deletions work")
    func full() async throws {
        let control = try await fixture.control(server.url)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        #expect(try await engine.exchange(key, write(0, appending: [[1]])) == .done)
        _ = try await control.send(RedisCommand("CONFIG", "SET", "maxmemory", "1"))
        await #expect(throws: SharedStateError.full) { try await engine.exchange(key, write(1, appending: [[2]])) }
        await #expect(throws: SharedStateError.full) {
            try await engine.create(SharedKey("new"), value(0), timeToLive: minute)
        }
        #expect(try await engine.readWithLog(key) == SharedEntry(value(1, "next"), log: [[1]]))
        let last = SharedWrite(base: version(1), value: value(2, "a longer value"), timeToLive: minute, endsLog: true)
        #expect(try await engine.exchange(key, last) == .done)
        #expect(try await engine.exchange(key, last) == .conflict(last.value))
        #expect(try await engine.readWithLog(key) == SharedEntry(last.value, log: []))
        #expect(try await engine.usage().memoryShare > 1)
        #expect(try await engine.delete(key, base: version(2)) == .done)
    }

    @Test("A missing permission is refused")
    func permission() async throws {
        let other = try await EngineFixture("unix://reader:pw@" + server.url.dropFirst("unix://".count))
        await #expect(throws: SharedStateError.refused) { try await other.engine.read(key) }
        await #expect(throws: SharedStateError.refused) { try await other.engine.exchange(key, write(0)) }
    }

    @Test("Forgotten scripts and a flushed database are no errors")
    func forgotten() async throws {
        let control = try await fixture.control(server.url)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        _ = try await control.send(RedisCommand("SCRIPT", "FLUSH"))
        #expect(try await engine.exchange(key, write(0)) == .done)
        _ = try await control.send(RedisCommand("FLUSHALL"))
        #expect(try await engine.exchange(key, write(1)) == .missing)
    }

    @Test("A frozen server: a call has an unknown outcome, and later ones are unavailable")
    func frozen() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        server.send(signal: SIGSTOP)
        await #expect(throws: SharedStateError.unknownOutcome) { try await engine.exchange(key, write(0)) }
        try await waitUntil { !engine.status.isAvailable }
        await #expect(throws: SharedStateError.unavailable) { try await engine.read(key) }
        server.send(signal: SIGCONT)
        #expect(await engine.waitUntilReady() == nil)
        // The write was in the socket of the server, which ran it later or not at all.
        let found = try await engine.read(key)
        #expect(found == value(0) || found == value(1, "next"))
    }

    @Test("A cancelled call ends at once")
    func cancelled() async throws {
        server.send(signal: SIGSTOP)
        defer { server.send(signal: SIGCONT) }
        let call = Task { () -> SharedStateError? in
            do throws(SharedStateError) {
                _ = try await engine.read(key)
                return nil
            } catch {
                return error
            }
        }
        try await waitUntil { engine.status.pending == 1 }
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    // MARK: Watches

    @Test("A watch gets ready, then every write with its note, and the deletion")
    func watch() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let events = Received()
        let watch = engine.watch(key) { events.append($0) }
        try await waitUntil { events.all == [.ready] }
        _ = try await engine.exchange(key, write(0, note: [5, 6]))
        _ = try await engine.delete(key, base: version(1))
        let expected: [SharedEvent] = [.ready, .written(value(1, "next").bytes + [5, 6]), .deleted]
        try await waitUntil { events.all == expected }
        engine.unwatch(watch)
        engine.unwatch(watch)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        _ = try await engine.exchange(key, write(0))
        let last = Received()
        _ = engine.watch(key) { last.append($0) }
        try await waitUntil { last.all == [.ready] }
        #expect(events.all == expected)
    }

    @Test("Several watches of a key each get ready once, and every event")
    func watches() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let all = (0..<3).map { _ in Received() }
        var watches: [SharedWatch] = []
        for events in all {
            watches.append(engine.watch(key) { events.append($0) })
            try await waitUntil { events.all == [.ready] }
        }
        engine.unwatch(watches[1])
        _ = try await engine.exchange(key, write(0))
        let written = SharedEvent.written(value(1, "next").bytes)
        try await waitUntil { all[0].all == [.ready, written] && all[2].all == [.ready, written] }
        #expect(all[1].all == [.ready])
    }

    @Test("Watches that come and go quickly: a ready watch misses no write")
    func quickWatches() async throws {
        _ = try await engine.create(key, value(0), timeToLive: minute)
        for round in 0..<100 {
            let first = engine.watch(key) { _ in }
            engine.unwatch(first)
            let events = Received()
            let second = engine.watch(key) { events.append($0) }
            try await waitUntil { events.all == [.ready] }
            _ = try await engine.exchange(key, write(UInt64(round)))
            try await waitUntil { events.all.count == 2 }
            engine.unwatch(second)
        }
    }

    @Test("After an interruption a watch gets ready again, and later writes")
    func interruption() async throws {
        let control = try await fixture.control(server.url)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let events = Received()
        _ = engine.watch(key) { events.append($0) }
        try await waitUntil { events.all == [.ready] }
        _ = try await control.send(RedisCommand("CLIENT", "KILL", "TYPE", "pubsub"))
        try await waitUntil { events.all == [.ready, .ready] }
        _ = try await engine.exchange(key, write(0))
        try await waitUntil { events.all.count == 3 }

        try server.restart()
        try await waitUntil { events.all.count == 4 }
        #expect(events.all.last == .ready)
        #expect(await engine.waitUntilReady() == nil)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        _ = try await engine.exchange(key, write(0))
        try await waitUntil { events.all.count == 5 }
        #expect(engine.status.reconnects >= 1)
    }

    // MARK: State

    @Test("The clock is that of the server, and the usage counts keys and bytes")
    func state() async throws {
        #expect(abs(engine.now.milliseconds - WallTime.now.milliseconds) < 10_000)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        let usage = try await engine.usage()
        #expect(usage.keys == 1)
        #expect(usage.bytes > 0)
        #expect(usage.maxBytes == nil)
        #expect(engine.status.isAvailable)
        #expect(engine.status.commands >= 2)
        #expect(engine.status.pending == 0)
    }

    @Test("The usage counts the keys that are not auxiliary, also those of other programs")
    func auxiliaryKeys() async throws {
        let control = try await fixture.control(server.url)
        let helper = SharedKey("helper")
        let second = SharedKey("second")
        func count() async throws -> Int { try await engine.usage().keys }
        #expect(try await count() == 0)
        _ = try await engine.create(helper, value(0), timeToLive: minute)
        #expect(try await count() == 0)
        _ = try await engine.create(helper, value(1), timeToLive: minute)
        _ = try await engine.create(key, value(0), timeToLive: minute)
        _ = try await engine.create(second, value(0), timeToLive: minute)
        #expect(try await count() == 1)
        #expect(try await engine.exchange(helper, write(0)) == .done)
        #expect(try await engine.exchange(key, write(0)) == .done)
        #expect(try await count() == 1)
        _ = try await control.send(RedisCommand("SET", "foreign", "1"))
        #expect(try await count() == 2)
        #expect(try await engine.delete(helper, base: version(1)) == .done)
        #expect(try await engine.delete(helper, base: version(1)) == .missing)
        #expect(try await count() == 2)
        #expect(try await engine.delete(key, base: version(1)) == .done)
        #expect(try await engine.delete(second, base: version(0)) == .done)
        #expect(try await count() == 1)
        #expect(try await control.send(RedisCommand("DBSIZE")) == .integer(1))
    }

    @Test("An auxiliary key that has ended does not count, and its entry is removed")
    func endedAuxiliaryKeys() async throws {
        let control = try await fixture.control(server.url)
        let short = SharedKey("short")
        let long = SharedKey("long")
        _ = try await engine.create(short, value(0), timeToLive: .milliseconds(1))
        _ = try await engine.create(key, value(0), timeToLive: minute)
        // Redis removes keys that have ended when they are read, or a little later.
        while try await engine.read(short) != nil {}
        #expect(try await engine.usage().keys == 1)
        #expect(try await control.send(RedisCommand("ZCARD", "test:auxiliary")) == .integer(1))
        _ = try await engine.create(long, value(0), timeToLive: .milliseconds(1))
        #expect(try await control.send(RedisCommand("ZCARD", "test:auxiliary")) == .integer(1))
        while try await engine.read(long) != nil {}
        _ = try await engine.create(long, value(1), timeToLive: minute)
        #expect(try await engine.exchange(long, write(1)) == .done)
        #expect(try await engine.usage().keys == 1)
    }

    @Test("The time to each reply is reported once")
    func replyTimes() async throws {
        let times = Mutex<[Duration]>([])
        let timed = try await EngineFixture(server.url) { time in times.withLock { $0.append(time) } }
        for _ in 0..<5 { _ = try await timed.engine.read(key) }
        try await waitUntil { times.withLock { $0.count == 5 } }
        #expect(times.withLock { $0.allSatisfy { $0 > .zero } })
    }

    @Test("A lease has one holder, which can renew and release it")
    func lease() async throws {
        let (mine, other) = (SharedLease(key, token: version(1)), SharedLease(key, token: version(2)))
        #expect(try await engine.take(mine, for: minute))
        #expect(try await engine.take(mine, for: minute))
        #expect(try await !engine.take(other, for: minute))
        #expect(try await engine.renew(mine, for: minute))
        #expect(try await !engine.renew(other, for: minute))
        try await engine.release(mine)
        #expect(try await engine.take(other, for: minute))
    }

    private struct Unexpected: Error {}
}
