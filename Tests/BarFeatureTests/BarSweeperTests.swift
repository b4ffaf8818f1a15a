import BarFeature
import HTTPExchange
import TestSupport
import Testing

@Suite("The sweeper of bars")
struct BarSweeperTests {
    @Test("ends expired bars and their streams until it is cancelled", .timeLimit(.minutes(1)))
    func sweep() async throws {
        let api = try BarAPI()
        let path = try api.bar()
        let kept = try api.bar(Bodies.create(#""ttlSeconds":3600"#))
        guard case .stream = api.get(path + "/stream").response.content else {
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
}
