import Primitives
import RedisClient
import SharedState
import Synchronization
import TestSupport
import Testing

/// The stores on which the operations are tested: the fake one, because other tests rely on it, and the real ones.
private enum StoreKind: CaseIterable {
    case fake, server, cluster
}

/// The servers of the suite, which start once.
private final class Servers: Sendable {
    @TaskLocal static var current: Servers?

    private let processes: (RedisServerProcess, RedisClusterProcesses)
    let server: StoreFixture
    let cluster: StoreFixture

    init() async throws {
        processes = (try RedisServerProcess(), try RedisClusterProcesses())
        server = try await StoreFixture([processes.0.url], timeout: .seconds(20))
        cluster = try await StoreFixture([processes.1.url()], timeout: .seconds(20))
    }
}

private struct WithServers: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Servers.$current.withValue(try await Servers()) { try await function() }
    }
}

@Suite(
    "Shared stores",
    .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools"),
    WithServers(),
    .timeLimit(.minutes(3))
)
struct SharedStoreTests {
    private static let lastKey = Atomic(0)

    /// A key that no other test has.
    private let key = "key \(SharedStoreTests.lastKey.add(1, ordering: .relaxed).newValue)"

    private func store(_ kind: StoreKind) throws -> any SharedStore {
        switch kind {
        case .fake: FakeStore { .now }
        case .server: try #require(Servers.current).server.store
        case .cluster: try #require(Servers.current).cluster.store
        }
    }

    // MARK: Records

    @Test("A record is created once", arguments: StoreKind.allCases)
    private func create(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.read(key) == nil)
        #expect(try await store.readWithLog(key, limit: .max) == nil)
        #expect(try await store.create(key, record(0, "first"), timeToLive: minute) == .done)
        let second = try await store.create(key, record(0, "second", writer: 8), timeToLive: minute)
        #expect(second == .conflict(record(0, "first")))
        #expect(try await store.read(key) == record(0, "first"))
        #expect(try await store.readWithLog(key, limit: .max) == LoggedRecord(record(0, "first")))
    }

    @Test("A commit needs the present version, all 16 bytes of it", arguments: StoreKind.allCases)
    private func compare(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.commit(key, commit(1)) == .missing)
        _ = try await store.create(key, record(1), timeToLive: minute)
        for base in [version(0), version(1, writer: 8), version(2)] {
            for log in [LogChange(start: [1], entries: [[1]]), nil] {
                let commit = Commit(base: base, record: record(2), timeToLive: minute, log: log)
                #expect(try await store.commit(key, commit) == .conflict(record(1)))
            }
        }
        #expect(try await store.commit(key, commit(1, start: [0], entries: [[1]])) == .done)
        let expected = LoggedRecord(record(2), start: [0], entries: [[1]])
        #expect(try await store.readWithLog(key, limit: .max) == expected)
        #expect(try await store.commit(key, commit(1)) == .conflict(record(2)))
    }

    @Test(
        "A commit drops the oldest entries, replaces the start, and appends",
        arguments: StoreKind.allCases,
        [0, 1, 2, 3]
    )
    private func log(kind: StoreKind, dropping: Int) async throws {
        let store = try store(kind)
        for (number, appended) in [[], [[9]], [[9], [8, 8], [0, 13, 10, 255], []]].enumerated()
            as EnumeratedSequence<[[[UInt8]]]>
        {
            let key = key + "-\(number)"
            _ = try await store.create(key, record(0), timeToLive: minute)
            let old: [[UInt8]] = [[1], [2, 2], [3]]
            #expect(try await store.commit(key, commit(0, start: [77], entries: old)) == .done)
            let start: [UInt8]? = dropping > 0 ? [88] : nil
            let next = commit(1, dropping: dropping, start: start, entries: appended)
            if appended.isEmpty { continue }
            #expect(try await store.commit(key, next) == .done)
            let expected = LoggedRecord(
                record(2),
                start: start ?? [77],
                entries: old.dropFirst(dropping) + appended
            )
            #expect(try await store.readWithLog(key, limit: .max) == expected)
            let limited = try await store.readWithLog(key, limit: 2)
            #expect(limited?.entries == Array(expected.entries.prefix(2)))
            #expect(limited?.record == expected.record)
        }
    }

    @Test("A commit that would drop more entries than there are changes nothing", arguments: StoreKind.allCases)
    private func dropsTooMuch(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.create(key, record(0), timeToLive: minute)
        _ = try await store.commit(key, commit(0, start: [0], entries: [[1]]))
        await #expect(throws: SharedStateError.refused) {
            try await store.commit(key, commit(1, dropping: 2, start: [0], entries: [[2]]))
        }
        #expect(try await store.readWithLog(key, limit: .max)?.entries == [[1]])
    }

    @Test("Thousands of entries are appended in one commit", arguments: StoreKind.allCases)
    private func longLog(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.create(key, record(0), timeToLive: minute)
        let entries = (0..<9001).map { Array(String($0).utf8) }
        #expect(try await store.commit(key, commit(0, start: [0], entries: entries)) == .done)
        #expect(try await store.readWithLog(key, limit: .max)?.entries == entries)
    }

    @Test("A shortened record has no log, and gets one with the next entry", arguments: StoreKind.allCases)
    private func shorten(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.commit(key, commit(0, endsLog: true)) == .missing)
        _ = try await store.create(key, record(0), timeToLive: minute)
        _ = try await store.commit(key, commit(0, start: [0], entries: [[1], [2]]))
        #expect(try await store.commit(key, commit(1, endsLog: true)) == .done)
        #expect(try await store.readWithLog(key, limit: .max) == LoggedRecord(record(2)))
        #expect(try await store.commit(key, commit(2, start: [5], entries: [[6]])) == .done)
        let expected = LoggedRecord(record(3), start: [5], entries: [[6]])
        #expect(try await store.readWithLog(key, limit: .max) == expected)
    }

    @Test("A removal needs the present version", arguments: StoreKind.allCases)
    private func remove(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.remove(key, base: version(1)) == .missing)
        _ = try await store.create(key, record(1), timeToLive: minute)
        #expect(try await store.remove(key, base: version(0)) == .conflict(record(1)))
        #expect(try await store.remove(key, base: version(1)) == .done)
        #expect(try await store.read(key) == nil)
        #expect(try await store.commit(key, commit(1)) == .missing)
    }

    @Test("Only one of many writers of a version succeeds", arguments: StoreKind.allCases)
    private func race(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.create(key, record(0), timeToLive: minute)
        let done = await withTaskGroup(of: Int.self) { group in
            for writer in 0..<50 {
                group.addTask {
                    let next = record(1, writer: UInt64(writer))
                    let log = LogChange(start: [0], entries: [[1]])
                    let commit = Commit(base: version(0), record: next, timeToLive: minute, log: log)
                    return (try? await store.commit(key, commit)) == .done ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(done == 1)
        #expect(try await store.readWithLog(key, limit: .max)?.entries == [[1]])
    }

    @Test("A record ends after its time to live, which a commit starts again", arguments: StoreKind.allCases)
    private func timeToLive(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.create(key, record(0), timeToLive: .milliseconds(1))
        while try await store.read(key) != nil { await Task.yield() }
        _ = try await store.create(key, record(0), timeToLive: .seconds(Int64.max / 2))
        #expect(try await store.read(key) == record(0))
        let next = Commit(base: version(0), record: record(1), timeToLive: .nanoseconds(1))
        #expect(try await store.commit(key, next) == .done)
        while try await store.read(key) != nil { await Task.yield() }
    }

    // MARK: Watches

    @Test("A watch gets ready, then every write with its broadcast, and the removal", arguments: StoreKind.allCases)
    private func watch(kind: StoreKind) async throws {
        let store = try store(kind)
        _ = try await store.create(key, record(0), timeToLive: minute)
        let events = Received()
        let endWatch = store.watch(key) { events.append($0) }
        try await waitUntil { events.all == [.ready] }
        _ = try await store.commit(key, commit(0, broadcast: [5, 6], start: [0], entries: [[1]]))
        _ = try await store.commit(key, commit(1, broadcast: [7], endsLog: true))
        _ = try await store.remove(key, base: version(2))
        let expected: [WatchEvent] = [
            .ready, .written(record(1) + [5, 6]), .written(record(2) + [7]), .deleted,
        ]
        try await waitUntil { events.all == expected }
        for _ in 0..<2 { endWatch() }
        _ = try await store.create(key, record(0), timeToLive: minute)
        _ = try await store.commit(key, commit(0))
        let last = Received()
        _ = store.watch(key) { last.append($0) }
        try await waitUntil { last.all == [.ready] }
        #expect(events.all == expected)
    }

    // MARK: Values

    @Test("A claim has one holder, which lands a value, extends or releases it", arguments: StoreKind.allCases)
    private func claim(kind: StoreKind) async throws {
        let store = try store(kind)
        let (mine, other): ([UInt8], [UInt8]) = ([0, 1], [0, 2])
        #expect(try await store.claim(key, mine, timeToLive: minute) == nil)
        #expect(try await store.claim(key, mine, timeToLive: minute) == mine)
        #expect(try await store.claim(key, other, timeToLive: minute) == mine)
        #expect(try await !store.replace(key, claim: other, with: [9], timeToLive: minute))
        #expect(try await store.replace(key, claim: mine, with: mine, timeToLive: minute))
        #expect(try await store.replace(key, claim: mine, with: [9, 9], timeToLive: minute))
        #expect(try await store.claim(key, other, timeToLive: minute) == [9, 9])
        #expect(try await store.get(key) == [9, 9])
        #expect(try await !store.release(key, claim: mine))
        #expect(try await store.release(key, claim: [9, 9]))
        #expect(try await store.get(key) == nil)
        #expect(try await !store.release(key, claim: []))
        #expect(try await store.claim(key, other, timeToLive: .milliseconds(1)) == nil)
        while try await store.get(key) != nil { await Task.yield() }
        #expect(try await store.claim(key, mine, timeToLive: minute) == nil)
    }

    @Test("Values are stored together, over what the keys had", arguments: StoreKind.allCases)
    private func put(kind: StoreKind) async throws {
        let store = try store(kind)
        var values: [String: [UInt8]] = [:]
        for number in 0..<30 { values[key + ":\(number)"] = [UInt8(number)] }
        for _ in 0..<2 { try await store.put(values, timeToLive: minute) }
        try await store.put([:], timeToLive: minute)
        for (key, value) in values { #expect(try await store.get(key) == value) }
    }

    // MARK: Limits

    @Test("A share counts its members until their ends", arguments: StoreKind.allCases)
    private func share(kind: StoreKind) async throws {
        let store = try store(kind)
        #expect(try await store.share(key, [1], for: minute, limit: 2))
        #expect(try await store.share(key, [2], for: .seconds(30), limit: 2))
        #expect(try await store.share(key, [1], for: minute, limit: 2))
        #expect(try await !store.share(key, [3], for: minute, limit: 2))
        for _ in 0..<2 { try await store.release(key, member: [2]) }
        #expect(try await store.share(key, [3], for: .milliseconds(1), limit: 2))
        // The place of a member whose time has ended is free.
        while try await !store.share(key, [4], for: minute, limit: 2) { await Task.yield() }
        #expect(try await !store.share(key, [5], for: minute, limit: 2))
        // A shorter time does not end the counting of a member earlier.
        #expect(try await store.share(key, [4], for: .milliseconds(1), limit: 2))
        #expect(try await !store.share(key, [5], for: minute, limit: 2))
    }

    @Test("Calls are counted up to the limit, and the larger count is kept", arguments: StoreKind.allCases)
    private func count(kind: StoreKind) async throws {
        let store = try store(kind)
        func ask(_ hour: Int, _ used: Int) async throws -> CountedCall {
            try await store.count(key, known: HourlyCount(hour: hour, used: used), limit: 5)
        }
        let first = try await ask(0, 0)
        #expect(first.isAllowed && first.count.used == 1 && 1...3600 ~= first.secondsLeft)
        let hour = first.count.hour
        // Each row: the hour and the count that the caller knows, and the reply.
        let rows = [(hour, 3, true, 4), (hour - 1, 5, true, 5), (hour, 1, false, 5), (hour, 9, false, 9)]
        for (hour, known, isAllowed, used) in rows {
            let call = try await ask(hour, known)
            // The test says nothing at the turn of an hour.
            guard call.count.hour == first.count.hour else { return }
            #expect(call.isAllowed == isAllowed && call.count.used == used)
        }
    }

    // MARK: Faults

    @Test("A key with something else is refused, and not changed", arguments: StoreKind.allCases)
    private func otherShapes(kind: StoreKind) async throws {
        let store = try store(kind)
        let short = key + "-short"
        try await store.put([key: [1, 2, 3]], timeToLive: minute)
        await #expect(throws: SharedStateError.refused) { try await store.read(key) }
        await #expect(throws: SharedStateError.refused) { try await store.commit(key, commit(0)) }
        #expect(try await store.get(key) == [1, 2, 3])
        _ = try await store.create(short, [1], timeToLive: minute)
        await #expect(throws: SharedStateError.refused) { try await store.read(short) }
        await #expect(throws: SharedStateError.refused) { try await store.readWithLog(short, limit: .max) }
        await #expect(throws: SharedStateError.refused) { try await store.get(short) }
    }
}
