import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

@Suite("Pages of several replicas when the store fails")
struct SharedPagesFaultTests {
    @Test("while the store is away kept pages are served, and nothing is fetched")
    func away() async throws {
        let replicas = PageReplicas()
        let a = try replicas.replica()
        _ = try await a.get("/v1/photos?limit=30")
        _ = try await a.get("/v1/photos/p3?detail=full")
        let calls = replicas.library.calls
        for error in [SharedStateError.unavailable, .unknownOutcome] {
            replicas.fail(error)
            #expect(try await a.ask("/v1/photos?limit=30").isNow)
            for cold in ["/v1/photos?page=2&perPage=30", "/v1/photos/p50", "/v1/search/photos?query=x"] {
                let answer = try await a.get(cold)
                #expect(answer.status.code == 503)
                #expect(try answer.json()["type"].string() == "/problems/store-unavailable")
                #expect(answer.fields[.retryAfter] == "1")
            }
        }
        for seconds in [600, 4000, 80_000] {
            replicas.time.pass(.seconds(seconds))
            let stale = try await a.get("/v1/photos?limit=30")
            #expect(stale.status == .ok)
            #expect(try stale.page()["stale"].bool())
            await a.land()
        }
        #expect(try await a.get("/v1/photos/p3?detail=full").status == .ok)
        #expect(try await a.get("/v1/photos/p3/image/thumb").status == .ok)
        #expect(replicas.library.calls == calls)
        // Older than a day.
        replicas.time.pass(.seconds(4000))
        #expect(try await a.get("/v1/photos?limit=30").status.code == 503)
        replicas.engine.onCall { _ in .works }
        #expect(try await a.get("/v1/photos?limit=30").status == .ok)
    }

    @Test("while the store takes no writes nothing is fetched", arguments: [SharedStateError.full, .refused])
    func full(error: SharedStateError) async throws {
        let replicas = PageReplicas()
        let a = try replicas.replica()
        replicas.fail(error) { $0.isWrite }
        for cold in ["/v1/photos", "/v1/photos/p70", "/unsplash/photos"] {
            #expect(try await a.get(cold).status.code == 503)
        }
        #expect(replicas.library.calls.isEmpty)
    }

    @Test("a key that cannot have a lease costs a call of each replica, and no page")
    func damagedKey() async throws {
        let replicas = PageReplicas()
        let shared = replicas.photos()
        let a = try PhotoFixture(replicas.library, shared: shared, clock: replicas.time.clock)
        // A value of another type under the key, such as a string in Redis.
        replicas.fail(.refused) { $0.key == .newest(of: .editorial) }
        #expect(try await a.get("/v1/photos?limit=30").ids().count == 30)
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
        #expect(shared.faults == 1)
        #expect(try await replicas.replica().get("/v1/photos?limit=30").ids().count == 30)
        #expect(replicas.library.calls.count == 2)
        try await PhotoReplicas.land([a])
        #expect(a.service.status.budgetRemaining == 48)
    }

    @Test("a lease that never ends is waited for a minute")
    func endlessLease() async throws {
        let replicas = PageReplicas()
        let a = try replicas.replica()
        try await PhotoReplicas.land([a])
        let lease = SharedValue(SharedVersion(high: 1, low: 2))
        _ = try await replicas.engine.create(.detail("p7"), lease, timeToLive: .seconds(100_000))
        async let detail = a.get("/v1/photos/p7?detail=full")
        for _ in 0..<240 {
            #expect(replicas.library.calls.isEmpty)
            try await waitUntil { replicas.time.count == 1 && replicas.waiting == 1 }
            replicas.time.pass(.milliseconds(250))
        }
        try await waitUntil { replicas.library.calls.count == 1 }
        #expect(try await detail.status == .ok)
        #expect(try await replicas.engine.read(.detail("p7")) == lease)
    }

    @Test(
        "a page is served and fetched once if its landing or its ticket fails",
        arguments: [SharedStateError.full, .refused, .unavailable, .unknownOutcome]
    )
    func landing(error: SharedStateError) async throws {
        for isJournal in [false, true] {
            let replicas = PageReplicas()
            let shared = replicas.photos()
            let a = try PhotoFixture(replicas.library, shared: shared, clock: replicas.time.clock)
            replicas.fail(error) { call in
                if case .exchange(let key, let write) = call {
                    key != StoredBudget.key && (key == .journal) == isJournal && !write.value.content.isEmpty
                } else {
                    false
                }
            }
            #expect(try await a.get("/v1/photos?limit=30").ids().count == 30)
            #expect(replicas.library.calls.count == 1)
            #expect(shared.faults == (error == .unknownOutcome && !isJournal ? 0 : 1))
            #expect(try await a.ask("/v1/photos?limit=30").isNow)
            replicas.engine.onCall { _ in .works }
            #expect(try await a.get("/v1/photos?page=2&perPage=30").status == .ok)
            // A page without a ticket is still found by the key of its feed.
            let b = try replicas.replica()
            _ = try await b.get("/v1/photos?limit=30")
            #expect(replicas.library.calls.count == (isJournal ? 2 : 3))
        }
    }

    @Test("a page is landed once if the outcome of its landing is unknown")
    func lostReply() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        let landings = Atomic(0)
        replicas.engine.onCall { call in
            guard case .exchange(let key, let write) = call, key != .journal, key != StoredBudget.key,
                !write.value.content.isEmpty
            else { return .works }
            return landings.add(1, ordering: .relaxed).newValue == 1 ? .losesReply : .works
        }
        let page = try await a.get("/v1/photos?limit=30")
        #expect(try await b.get("/v1/photos?limit=30").body == page.body)
        #expect(replicas.library.calls.count == 1)
        #expect(try await replicas.engine.readWithLog(.journal)?.log.count == 1)
    }

    @Test("after the store was emptied pages are kept, and the journal begins again")
    func flushed() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        try await replicas.following(a, b) {
            _ = try await a.get("/v1/photos?limit=30")
            _ = try await a.get("/v1/photos/p80")
            try await waitUntil { b.service.knows("p1") && b.service.knows("p80") }
            replicas.engine.forgetAll()
            #expect(try await a.ask("/v1/photos?limit=30").isNow)
            #expect(try await b.ask("/v1/photos?limit=30").isNow)
            _ = try await a.get("/v1/photos?page=2&perPage=30")
            try await waitUntil { b.service.knows("p31") }
            _ = try await b.get("/v1/photos/p90")
            try await waitUntil { a.service.knows("p90") }
            #expect(replicas.library.calls.count == 4)
            #expect(try await replicas.engine.readWithLog(.journal)?.log.count == 2)
        }
    }

    @Test("tickets that were missed while the store was away are read back")
    func interrupted() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        try await replicas.following(b) {
            _ = try await a.get("/v1/photos?limit=30")
            try await waitUntil { b.service.knows("p1") }
            replicas.engine.interruptWatches()
            _ = try await a.get("/v1/photos?page=2&perPage=30")
            #expect(!b.service.knows("p31"))
            // The first attempt to read the journal fails.
            replicas.fail(.unavailable) { if case .readWithLog = $0 { true } else { false } }
            replicas.engine.resumeWatches()
            try await waitUntil { replicas.time.count == 1 }
            replicas.engine.onCall { _ in .works }
            replicas.time.pass(.seconds(1))
            try await waitUntil { b.service.knows("p31") }
        }
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a stored page that cannot be read is fetched again, and replaced", arguments: [0, 1, 40, 500])
    func unreadable(length: Int) async throws {
        let replicas = PageReplicas()
        let a = try replicas.replica()
        let page = try await a.get("/v1/photos?limit=30")
        _ = try await a.get("/v1/photos/p50?detail=full")
        for key in replicas.keys() {
            guard let value = try await replicas.engine.read(key) else { continue }
            let content = Array(value.content.prefix(length).map { ~$0 } + [7])
            replicas.engine.overwrite(key, with: SharedValue(value.version, content))
        }
        let b = try replicas.replica()
        try await replicas.following(b) {
            #expect(try await b.get("/v1/photos?limit=30").ids() == page.ids())
            #expect(try await b.get("/v1/photos/p50?detail=full").status == .ok)
            #expect(replicas.library.calls.count == 4)
            let c = try replicas.replica()
            #expect(try await c.get("/v1/photos?limit=30").ids() == page.ids())
            #expect(try await c.get("/v1/photos/p50?detail=full").status == .ok)
            #expect(replicas.library.calls.count == 4)
            try await replicas.following(c) { try await waitUntil { c.service.knows("p30") } }
        }
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
    }

    @Test("without a shared store a cursor of another process is answered at once")
    func alone() async throws {
        let (a, b) = (try PhotoFixture(), try PhotoFixture())
        let cursor = try await a.get("/v1/photos?limit=10").page()["nextCursor"].string()
        _ = try await a.get("/v1/photos?limit=10&cursor=\(cursor)")
        _ = b.service.environment.random()
        _ = try await b.get("/v1/photos?limit=10")
        let answer = try await b.ask("/v1/photos?limit=10&cursor=\(cursor)")
        #expect(answer.isNow)
        #expect(try answer.response.ids() == (11...20).map { "p\($0)" })
        await b.service.followReplicas()
    }
}
