import BarLayout
import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import TestSupport
import Testing

@testable import SpringbarService

@Suite("Bars in memory")
struct MemoryBarStoreTests {
    /// So many events that a log has eight segments.
    private func fill(_ api: BarAPI, _ path: String) {
        _ = api.post(path + "/events", Bodies.batch((0..<500).map { Bodies.offset(Double($0 % 300)) }))
    }

    private func kept(_ api: BarAPI, _ path: String) -> Int {
        api.get(path + "/events?limit=512").count("/events") ?? -1
    }

    @Test("the oldest logs go first when all together need more room, and bars stay")
    func oldestFirst() throws {
        let probe = try BarAPI()
        let probePath = try probe.bar()
        let bare = probe.sessions.statistics.bytes
        fill(probe, probePath)
        let full = probe.sessions.statistics.bytes

        let api = try BarAPI(maxBytes: 4 * full)
        let paths = try (0..<6).map { _ in try api.bar() }
        for path in paths {
            fill(api, path)
            #expect(api.sessions.statistics.bytes <= 4 * full)
        }
        #expect(kept(api, paths[0]) == 0)
        #expect(kept(api, paths[1]) < 500)
        for path in paths.suffix(3) { #expect(kept(api, path) == 500) }
        for path in paths { #expect(api.get(path).number("/revision") == 500) }
        // What is gone is gone, and says so; what comes next is kept again.
        #expect(api.post(paths[0] + "/events", Bodies.offset(1, sequence: 500)).status == 410)
        #expect(api.get(paths[0] + "/states?at=500").status == 410)
        #expect(api.post(paths[0] + "/events", Bodies.offset(7, sequence: 501)).status == 200)
        #expect(api.post(paths[0] + "/events", Bodies.offset(7, sequence: 501)).bool("/replayed") == true)
        #expect(api.get(paths[0] + "/states?at=501").status == 200)
        for path in paths { _ = api.delete(path) }
        #expect(api.sessions.statistics.bytes == 0)
        #expect(bare > 0)
    }

    @Test("bars themselves are never given up: what has no room is refused")
    func recordsStay() throws {
        let probe = try BarAPI()
        _ = try probe.bar()
        let one = probe.sessions.statistics.bytes
        let api = try BarAPI(maxBytes: one * 5)
        let paths = try (0..<5).map { _ in try api.bar() }
        #expect(api.post("/v1/bars", Bodies.create()).code == "session-limit")
        let tracks = (0..<100).map { "\"t\($0)\":{\"keyframes\":[{\"progress\":1,\"value\":0}]}" }.joined(
            separator: ","
        )
        #expect(api.put(paths[0] + "/tracks", "{\(tracks)}", [(.ifMatch, "*")]).code == "session-limit")
        #expect(api.get(paths[0]).fields[.eTag] == "\"0\"")
        #expect(api.post(paths[0] + "/events", Bodies.offset(1)).status == 200)
    }

    @Test("a write with a revision that is over stores nothing")
    func compareAndSet() throws {
        let api = try BarAPI()
        let path = try api.bar()
        let id = try #require(BarID(String(path.split(separator: "/")[2])))
        let store = api.sessions.store
        let now = api.clock.now
        let first = try #require(store.load(id, now: now))
        let record = first.next(first.session, revision: 1, lastSequence: 0, now: now)
        let nothing = BarLog.Addition(sequence: 0)
        #expect(store.compareAndSet(id, revision: 7, to: record, appending: nothing, now: now) == .conflict)
        #expect(store.load(id, now: now)?.revision == 0)
        #expect(store.compareAndSet(id, revision: 0, to: record, appending: nothing, now: now) == .done)
        #expect(store.compareAndSet(id, revision: 0, to: record, appending: nothing, now: now) == .conflict)
        #expect(store.load(id, now: now)?.revision == 1)
        #expect(store.delete(id, revision: 0, now: now) == .conflict)
        #expect(store.delete(id, revision: 1, now: now) == .done)
        #expect(store.compareAndSet(id, revision: 1, to: record, appending: nothing, now: now) == .gone)
    }

    @Test("expiring looks at what is due, and gives everything back")
    func expire() throws {
        let api = try BarAPI()
        let short = try (0..<50).map { _ in try api.bar(Bodies.create("\"ttlSeconds\":10")) }
        let long = try (0..<50).map { _ in try api.bar(Bodies.create("\"ttlSeconds\":86400")) }
        _ = api.post(short[0] + "/events", Bodies.offset(1))
        api.clock.advance(seconds: 9)
        _ = api.post(short[1] + "/events", Bodies.offset(1))
        api.clock.advance(seconds: 1)
        api.sessions.expire()
        #expect(api.sessions.statistics.sessions == 51)
        #expect(api.get(short[1]).status == 200)
        for _ in 0..<86 {
            api.clock.advance(seconds: 1000)
            api.sessions.expire()
        }
        #expect(api.sessions.statistics.sessions == 50)
        #expect(api.get(long[0]).status == 200)
        api.clock.advance(seconds: 400)
        api.sessions.expire()
        #expect(api.sessions.statistics.sessions == 0)
        #expect(api.sessions.statistics.bytes == 0)
    }

    /// A shared store as an unlucky process sees it: others win the first races, or all of them.
    private final class Contended: BarStore {
        let base: MemoryBarStore
        let losses: Shared<Int>
        let creation: BarCreation?

        init(_ base: MemoryBarStore, losses: Int, creation: BarCreation? = nil) {
            self.base = base
            self.losses = Shared(losses)
            self.creation = creation
        }

        func create(
            _ record: BarRecord,
            as id: BarID,
            key: IdempotencyKey?,
            client: ClientKey?,
            now: WallTime
        ) -> BarCreation {
            creation ?? base.create(record, as: id, key: key, client: client, now: now)
        }

        func load(_ id: BarID, now: WallTime) -> BarRecord? { base.load(id, now: now) }

        func loadWithLog(_ id: BarID, now: WallTime) -> (record: BarRecord, log: BarLog)? {
            base.loadWithLog(id, now: now)
        }

        func compareAndSet(
            _ id: BarID,
            revision: Int,
            to record: BarRecord,
            appending addition: BarLog.Addition,
            now: WallTime
        ) -> BarExchange {
            guard losses.current == 0 else {
                losses.change { $0 -= 1 }
                return .conflict
            }
            return base.compareAndSet(id, revision: revision, to: record, appending: addition, now: now)
        }

        func touch(_ id: BarID, expiresAt: WallTime, now: WallTime) {
            base.touch(id, expiresAt: expiresAt, now: now)
        }

        func delete(_ id: BarID, revision: Int?, now: WallTime) -> BarExchange {
            guard losses.current == 0 else {
                losses.change { $0 -= 1 }
                return .conflict
            }
            return base.delete(id, revision: revision, now: now)
        }
        func expire(now: WallTime) -> [BarID] { base.expire(now: now) }
        var statistics: BarStatistics { base.statistics }
    }

    private func memory() -> MemoryBarStore {
        MemoryBarStore(maxSessions: 10, maxBytes: 1 << 20, now: TestClock().now)
    }

    @Test("who loses a race begins again, and gives up in the end")
    func contention() throws {
        let lucky = try BarAPI(store: Contended(memory(), losses: 20))
        let luckyPath = try lucky.bar()
        #expect(lucky.post(luckyPath + "/events", Bodies.offset(1)).number("/revision") == 1)
        let unlucky = try BarAPI(store: Contended(memory(), losses: 1_000_000))
        let path = try unlucky.bar()
        let answer = unlucky.post(path + "/events", Bodies.offset(1))
        #expect(answer.status == 503)
        #expect(answer.code == "bar-contended")
        #expect(answer.fields[.retryAfter] == "1")
        #expect(unlucky.get(path).number("/revision") == 0)
    }

    @Test("a key that is still at work elsewhere is answered 409")
    func runningKey() throws {
        let api = try BarAPI(store: Contended(memory(), losses: 0, creation: .running))
        let answer = api.post("/v1/bars", Bodies.create(), [(.idempotencyKey, "k")])
        #expect(answer.status == 409)
        #expect(answer.code == "idempotency-key-running")
    }
}
