import BarFeature
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

@Suite("The sweeper of bars")
struct BarSweeperTests {
    @Test("ends expired bars and their streams until it is cancelled", .timeLimit(.minutes(1)))
    func sweep() async throws {
        let api = try Service()
        let path = try api.bar()
        let kept = try api.bar(Bodies.create(#""ttlSeconds":3600"#))
        guard case .stream = api.get(path + "/stream").content else {
            Issue.record("there is no stream")
            return
        }
        let store = try #require(api.sessions.store as? MemoryBarStore)
        let sweeping = Task { await store.sweep { api.clock.now } }
        api.clock.advance(seconds: 901)
        #expect(await blocking { eventually { api.statistics.sessions == 1 } })
        #expect(await blocking { eventually { api.sessions.store.observers.count == 0 } })
        #expect(api.get(kept).status == 200)
        sweeping.cancel()
        await sweeping.value
    }

    @Test("a full store ends the bars that were idle longest, and none that was written within the usual time to live")
    func pressure() throws {
        let api = try Service(maxSessions: 200)
        let store = try #require(api.sessions.store as? MemoryBarStore)
        let long = Bodies.create(#""ttlSeconds":86400"#)
        let old = try (0..<100).map { _ in try api.bar(long) }
        api.clock.advance(seconds: 600)
        let young = try (0..<100).map { _ in try api.bar(long) }
        store.expire(now: api.clock.now)
        #expect(api.statistics.sessions == 200, "no bar ends before one is refused")

        // The old ones are 600 s old, so none may be ended.
        #expect(api.post("/v1/bars", long).status == 429)
        store.expire(now: api.clock.now)
        #expect(api.statistics.sessions == 200)

        // A write makes a bar young.
        api.clock.advance(seconds: 400)
        for path in old.prefix(50) { #expect(api.post(path + "/events", Bodies.offset(1)).status == 200) }
        #expect(api.post("/v1/bars", long).status == 429)
        store.expire(now: api.clock.now)
        #expect((150..<200).contains(api.statistics.sessions))
        for path in old.prefix(50) + young { #expect(api.get(path).status == 200) }
        #expect(old.dropFirst(50).contains { api.get($0).status == 404 })
        #expect(api.post("/v1/bars", long).status == 201)
    }

    @Test("a bar that expires makes room for another one: no idle bar ends for it")
    func expiredBeforeIdle() throws {
        let api = try Service(maxSessions: 2)
        let store = try #require(api.sessions.store as? MemoryBarStore)
        let idle = try api.bar(Bodies.create(#""ttlSeconds":86400"#))
        _ = try api.bar(Bodies.create(#""ttlSeconds":1000"#))
        api.clock.advance(seconds: 1000)
        #expect(api.post("/v1/bars", Bodies.create()).status == 429)
        store.expire(now: api.clock.now)
        #expect(api.statistics.sessions == 1)
        #expect(api.get(idle).status == 200)
    }

    @Test("a small full store ends a sixteenth of its bars, too, the earliest first")
    func smallStore() throws {
        let api = try Service(maxSessions: 32)
        let store = try #require(api.sessions.store as? MemoryBarStore)
        let long = Bodies.create(#""ttlSeconds":86400"#)
        let paths = try (0..<32).map { _ in
            api.clock.advance(seconds: 1)
            return try api.bar(long)
        }
        api.clock.advance(seconds: 1000)
        #expect(api.post("/v1/bars", long).status == 429)
        store.expire(now: api.clock.now)
        #expect(paths.map { api.get($0).status == 404 } == (0..<32).map { $0 < 2 })
    }
}
