import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import Photos

@Suite("Pages of several replicas when the store fails")
struct SharedPagesFaultTests {
    @Test("while the store is away kept pages are served, and nothing is fetched")
    func away() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        _ = try await a.get("/v1/photos?limit=30")
        _ = try await a.get("/v1/photos/p3?detail=full")
        let calls = replicas.library.calls
        for error in [SharedStateError.unavailable, .unknownOutcome] {
            replicas.fail(error)
            #expect(try await a.ask("/v1/photos?limit=30").isNow)
            for cold in ["/v1/photos?page=2&perPage=30", "/v1/photos/p50", "/v1/search/photos?query=x"] {
                let answer = try await a.get(cold)
                #expect(answer.status.code == 503)
                #expect(try answer.object()["type"].string() == "/problems/store-unavailable")
                #expect(answer.fields[.retryAfter] == "1")
            }
        }
        for seconds in [600, 4000, 80_000] {
            replicas.time.pass(.seconds(seconds))
            let stale = try await a.get("/v1/photos?limit=30")
            #expect(stale.status == .ok)
            #expect(try stale.page()["stale"].bool())
            await a.settle()
        }
        #expect(try await a.get("/v1/photos/p3?detail=full").status == .ok)
        #expect(try await a.get("/v1/photos/p3/image/thumb").status == .ok)
        #expect(replicas.library.calls == calls)
        // Older than a day.
        replicas.time.pass(.seconds(4000))
        #expect(try await a.get("/v1/photos?limit=30").status.code == 503)
        replicas.resume()
        #expect(try await a.get("/v1/photos?limit=30").status == .ok)
    }

    @Test("while the store counts no calls nothing is fetched", arguments: [SharedStateError.full, .refused])
    func noCount(error: SharedStateError) async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        replicas.fail(error) { $0.isWrite }
        for cold in ["/v1/photos", "/v1/photos/p70", "/unsplash/photos"] {
            #expect(try await a.get(cold).status.code == 503)
        }
        #expect(replicas.library.calls.isEmpty)
    }

    @Test("with a full store pages are fetched by each replica that needs them, and not shared")
    func full() async throws {
        let replicas = try Replicas()
        let shared = replicas.answers()
        let a = try replicas.replica(shared: shared)
        replicas.store.isFull = true
        #expect(try await a.get("/v1/photos?limit=30").ids().count == 30)
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
        #expect(shared.faults >= 1)
        #expect(try await replicas.replica().get("/v1/photos?limit=30").ids().count == 30)
        #expect(replicas.library.calls.count == 2)
        replicas.store.isFull = false
        #expect(try await a.get("/v1/photos?page=2&perPage=30").status == .ok)
        await a.settle()
        #expect(a.service.status.budget.remaining == 47)
    }

    @Test("a key that cannot have a claim costs a call of each replica, and no page")
    func damagedKey() async throws {
        let replicas = try Replicas()
        let shared = replicas.answers()
        let a = try replicas.replica(shared: shared)
        // A value of another type under the key, such as a list in Redis.
        _ = try await replicas.store.create(
            AnswerRecord.key(of: "/photos?page=1&per_page=30"),
            [1, 2],
            timeToLive: .seconds(100_000)
        )
        #expect(try await a.get("/v1/photos?limit=30").ids().count == 30)
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
        #expect(shared.faults == 1)
        #expect(try await replicas.replica().get("/v1/photos?limit=30").ids().count == 30)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a claim that never ends is waited for a minute")
    func endlessClaim() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        let claim = AnswerStore.makeClaim()
        let key = AnswerRecord.key(of: "/photos/p7")
        _ = try await replicas.store.claim(key, claim, timeToLive: .seconds(100_000))
        async let detail = a.get("/v1/photos/p7?detail=full")
        var waited = Duration.zero
        while replicas.library.calls.isEmpty {
            try await waitUntil { replicas.time.count == 1 || !replicas.library.calls.isEmpty }
            guard replicas.library.calls.isEmpty else { break }
            replicas.time.pass(.milliseconds(250))
            waited += .milliseconds(250)
        }
        #expect((Duration.seconds(59)...Duration.seconds(62)).contains(waited))
        #expect(try await detail.status == .ok)
        #expect(try await replicas.store.get(key) == claim)
    }

    @Test(
        "a page is served and fetched once if it cannot be stored",
        arguments: [SharedStateError.full, .refused, .unavailable, .unknownOutcome]
    )
    func landing(error: SharedStateError) async throws {
        let replicas = try Replicas()
        let shared = replicas.answers()
        let a = try replicas.replica(shared: shared)
        replicas.fail(error) { [.replace, .put].contains($0.operation) }
        #expect(try await a.get("/v1/photos?limit=30").ids().count == 30)
        #expect(replicas.library.calls.count == 1)
        #expect(shared.faults >= 1)
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
        replicas.resume()
        #expect(try await a.get("/v1/photos?page=2&perPage=30").status == .ok)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a page is stored once if the outcome of the call is unknown")
    func lostReply() async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        let landings = Atomic(0)
        replicas.store.onCall { call in
            guard call.operation == .replace else { return .works }
            return landings.add(1, ordering: .relaxed).newValue == 1 ? .losesReply : .works
        }
        let page = try await a.get("/v1/photos?limit=30")
        #expect(try await b.get("/v1/photos?limit=30").ids() == page.ids())
        #expect(replicas.library.calls.count == 1)
    }

    @Test("a page whose claim is always lost is fetched once, and claimed three times")
    func lostClaims() async throws {
        let replicas = try Replicas()
        replicas.store.onCall { [store = replicas.store] call in
            if call.operation == .replace { store.forget(call.key) }
            return .works
        }
        #expect(try await replicas.replica().get("/v1/photos?limit=30").ids().count == 30)
        #expect(replicas.store.calls.count { $0.operation == .claim } == 3)
        #expect(replicas.library.calls.count == 1)
    }

    @Test("after the store was emptied pages are kept, and fetched again as needed")
    func flushed() async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        _ = try await a.get("/v1/photos?limit=30")
        _ = try await b.get("/v1/photos?limit=30")
        replicas.store.forgetAll()
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
        #expect(try await b.ask("/v1/photos?limit=30").isNow)
        #expect(try await replicas.replica().get("/v1/photos?limit=30").status == .ok)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a stored page that cannot be read is fetched again, and replaced", arguments: [0, 1, 40, 500])
    func unreadable(length: Int) async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        let page = try await a.get("/v1/photos?limit=30")
        _ = try await a.get("/v1/photos/p50?detail=full")
        for key in replicas.keys {
            guard let value = try? await replicas.store.get(key) else { continue }
            replicas.store.overwrite(key, with: value.prefix(length).map { ~$0 } + [7])
        }
        let b = replicas[1]
        #expect(try await b.get("/v1/photos?limit=30").ids() == page.ids())
        #expect(try await b.get("/v1/photos/p50?detail=full").status == .ok)
        #expect(replicas.library.calls.count == 4)
        let c = try replicas.replica()
        #expect(try await c.get("/v1/photos?limit=30").ids() == page.ids())
        #expect(try await c.get("/v1/photos/p50?detail=full").status == .ok)
        #expect(replicas.library.calls.count == 4)
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
    }

    @Test("without a shared store a cursor of another process is answered at once")
    func alone() async throws {
        let (a, b) = (try PhotoFixture(), try PhotoFixture())
        let cursor = try await a.get("/v1/photos?limit=10").page()["nextCursor"].string()
        _ = try await a.get("/v1/photos?limit=10&cursor=\(cursor)")
        _ = try await b.get("/v1/photos?limit=10")
        let answer = try await b.ask("/v1/photos?limit=10&cursor=\(cursor)")
        #expect(answer.isNow)
        #expect(try answer.response.ids() == (11...20).map { "p\($0)" })
    }

    @Test("a page for the cursor of another replica is rendered once, however many clients have it")
    func rendered() async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        let cursor = try await a.get("/v1/photos?limit=10").page()["nextCursor"].string()
        let target = "/v1/photos?limit=10&cursor=\(cursor)"
        let first = try await b.get(target)
        #expect(try first.ids().first == "p11")
        #expect(b.service.renderedPages.withLock(\.count) == 1)
        let again = try await b.ask(target)
        #expect(again.isNow && again.response.bytes == first.bytes)
        let key = RenderedPage.Key(target: target, hotlinkBase: nil)
        #expect(b.service.cachedPage(key) != nil)
    }
}
