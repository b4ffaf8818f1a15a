import Glibc
import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

/// What only a real server does; the operations are tested in `SharedStoreTests`.
@Suite("The store on a Redis server", .timeLimit(.minutes(2)))
struct RedisStoreTests {
    private let server: RedisServerProcess
    private let fixture: StoreFixture
    private let key = "a key"

    private var store: RedisStore { fixture.store }

    init() async throws {
        server = try RedisServerProcess(["--user", "reader", "on", ">pw", "~*", "&*", "+@all", "-lindex"])
        fixture = try await StoreFixture([server.url])
    }

    // MARK: Faults

    @Test("Without memory a write is refused unless it ends the log; reads and removals work")
    func full() async throws {
        let control = try await fixture.control(server.url)
        _ = try await store.create(key, record(0), timeToLive: minute)
        #expect(try await store.commit(key, commit(0, start: [0], entries: [[1]])) == .done)
        #expect(try await store.create(key, record(0), timeToLive: minute) == .conflict(record(1)))
        _ = try await control.send(RedisCommand("CONFIG", "SET", "maxmemory", "1"))
        #expect(try await store.create(key, record(0), timeToLive: minute) == .conflict(record(1)))
        await #expect(throws: SharedStateError.full) { try await store.commit(key, commit(1, entries: [[2]])) }
        let other = "new"
        await #expect(throws: SharedStateError.full) { try await store.create(other, record(0), timeToLive: minute) }
        await #expect(throws: SharedStateError.full) { try await store.claim(other, [1], timeToLive: minute) }
        #expect(try await store.readWithLog(key, limit: .max) == LoggedRecord(record(1), start: [0], entries: [[1]]))
        #expect(try await store.commit(key, commit(1, endsLog: true)) == .done)
        #expect(try await store.commit(key, commit(1, endsLog: true)) == .conflict(record(2)))
        #expect(try await store.readWithLog(key, limit: .max) == LoggedRecord(record(2)))
        #expect(try await store.remove(key, base: version(2)) == .done)
    }

    @Test("A missing permission is refused, and the store counts as unavailable")
    func permission() async throws {
        let other = try await StoreFixture(["unix://reader:pw@" + server.url.dropFirst("unix://".count)])
        #expect(other.store.status.isAvailable)
        await #expect(throws: SharedStateError.refused) { try await other.store.read(key) }
        #expect(!other.store.status.isAvailable)
        await #expect(throws: SharedStateError.refused) { try await other.store.commit(key, commit(0)) }
    }

    @Test("A frozen server: a call has an unknown outcome, and later ones are unavailable")
    func frozen() async throws {
        _ = try await store.create(key, record(0), timeToLive: minute)
        server.send(signal: SIGSTOP)
        await #expect(throws: SharedStateError.unknownOutcome) { try await store.commit(key, commit(0)) }
        try await waitUntil { !store.status.isAvailable }
        await #expect(throws: SharedStateError.unavailable) { try await store.read(key) }
        server.send(signal: SIGCONT)
        #expect(await store.client.waitUntilReady() == nil)
        // The write was in the socket of the server, which ran it later or not at all.
        let found = try await store.read(key)
        #expect(found == record(0) || found == record(1))
    }

    @Test("A cancelled call ends at once")
    func cancelled() async throws {
        server.send(signal: SIGSTOP)
        defer { server.send(signal: SIGCONT) }
        let call = Task { () -> SharedStateError? in
            do throws(SharedStateError) {
                _ = try await store.read(key)
                return nil
            } catch {
                return error
            }
        }
        try await waitUntil { store.status.pending == 1 }
        call.cancel()
        #expect(await call.value == .cancelled)
    }

    @Test("The time to each reply is reported once")
    func replyTimes() async throws {
        let times = Lock<[Duration]>([])
        let timed = try await StoreFixture([server.url]) { time in times.withLock { $0.append(time) } }
        for _ in 0..<5 { _ = try await timed.store.read(key) }
        try await waitUntil { times.withLock { $0.count == 5 } }
        #expect(times.withLock { $0.allSatisfy { $0 > .zero } })
    }

    // MARK: Watches

    @Test("Several watches of a key each get ready once, and every event")
    func watches() async throws {
        _ = try await store.create(key, record(0), timeToLive: minute)
        let all = (0..<3).map { _ in Received() }
        var ends: [@Sendable () -> Void] = []
        for events in all {
            ends.append(store.watch(key) { events.append($0) })
            try await waitUntil { events.all == [.ready] }
        }
        ends[1]()
        _ = try await store.commit(key, commit(0))
        let written = WatchEvent.written(record(1))
        try await waitUntil { all[0].all == [.ready, written] && all[2].all == [.ready, written] }
        #expect(all[1].all == [.ready])
    }

    @Test("Watches that come and go quickly: a ready watch misses no write")
    func quickWatches() async throws {
        _ = try await store.create(key, record(0), timeToLive: minute)
        for round in 0..<100 {
            let endFirst = store.watch(key) { _ in }
            endFirst()
            let events = Received()
            let endSecond = store.watch(key) { events.append($0) }
            try await waitUntil { events.all == [.ready] }
            _ = try await store.commit(key, commit(UInt64(round)))
            try await waitUntil { events.all.count == 2 }
            endSecond()
        }
    }

    @Test("After an interruption a watch gets ready again, and later writes")
    func interruption() async throws {
        let control = try await fixture.control(server.url)
        _ = try await store.create(key, record(0), timeToLive: minute)
        let events = Received()
        _ = store.watch(key) { events.append($0) }
        try await waitUntil { events.all == [.ready] }
        _ = try await control.send(RedisCommand("CLIENT", "KILL", "TYPE", "pubsub"))
        try await waitUntil { events.all == [.ready, .ready] }
        _ = try await store.commit(key, commit(0))
        try await waitUntil { events.all.count == 3 }

        try server.restart()
        try await waitUntil { events.all.count == 4 }
        #expect(events.all.last == .ready)
        #expect(await store.client.waitUntilReady() == nil)
        _ = try await store.create(key, record(0), timeToLive: minute)
        _ = try await store.commit(key, commit(0))
        try await waitUntil { events.all.count == 5 }
        #expect(store.status.reconnects >= 1)
    }
}
