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

@Suite("Pages of several replicas")
struct SharedPagesTests {
    @Test("the pictures of a page need no token and no call on a replica that has not served it")
    func pictures() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(tokens: ["t"]), try replicas.replica(tokens: ["t"]))
        try await replicas.following(a, b) {
            let ids = try await a.get("/v1/photos?limit=30", fields: [.authorization: "Bearer t"]).ids()
            #expect(ids.count == 30)
            #expect(try await b.get("/v1/photos/p31/image/thumb").status == .unauthorized)
            try await waitUntil { b.service.knows("p30") }
            for id in ids {
                #expect(try await b.get("/v1/photos/\(id)/image/thumb").status == .ok)
            }
        }
        #expect(replicas.library.calls == ["editorial 1"])
    }

    @Test("a page that another replica fetched is answered at once, and its bytes are the same")
    func inline() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        try await replicas.following(a, b) {
            let page = try await a.get("/v1/photos?limit=30")
            try await waitUntil { b.service.knows("p30") }
            try await PhotoReplicas.land([a, b])
            let calls = replicas.engine.calls.count
            let same = try await b.ask("/v1/photos?limit=30")
            #expect(same.isNow)
            #expect(same.response.body == page.body)
            #expect(replicas.engine.calls.count == calls, "a cached page needs no call of the store")
        }
        #expect(replicas.library.calls.count == 1)
    }

    @Test("two replicas that need the same page make one call", arguments: ["", "?page=2&perPage=30"])
    func oneCall(query: String) async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        replicas.library.close()
        async let first = a.get("/v1/photos" + query)
        try await waitUntil { replicas.library.calls.count == 1 }
        async let second = b.get("/v1/photos" + query)
        // The lease is renewed by one replica, and looked at by the other.
        try await waitUntil { replicas.time.count == 2 && replicas.waiting == 1 }
        replicas.library.open()
        let (left, right) = try await (first, second)
        #expect(left.status == .ok)
        #expect(left.body == right.body)
        #expect(replicas.library.calls.count == 1)
        #expect(replicas.waiting == 0)
    }

    @Test("a lease is kept as long as its fetch takes")
    func renewal() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        replicas.library.close()
        async let first = a.get("/v1/photos")
        try await waitUntil { replicas.library.calls.count == 1 && replicas.time.count == 1 }
        async let second = b.get("/v1/photos")
        for _ in 0..<40 {
            try await waitUntil { replicas.time.count == 2 && replicas.waiting == 1 }
            replicas.time.pass(.milliseconds(250))
        }
        replicas.library.open()
        #expect(try await first.body == second.body)
        #expect(replicas.library.calls.count == 1)
    }

    @Test("a replica that stalls with a lease costs one more call and less than 4 s, and its late page is refused")
    func stalled() async throws {
        let replicas = PageReplicas()
        let late = FakeLibrary()
        late.set { $0.numbers = Array(500...600) }
        late.close()
        let (a, b) = (try replicas.replica(late, isStalled: true), try replicas.replica())
        async let first = a.get("/v1/photos?limit=30")
        try await waitUntil { late.calls.count == 1 && replicas.time.count == 1 }
        async let second = b.get("/v1/photos?limit=30")
        var waited = Duration.zero
        while replicas.library.calls.isEmpty {
            try await waitUntil {
                !replicas.library.calls.isEmpty || (replicas.time.count == 2 && replicas.waiting == 1)
            }
            guard replicas.library.calls.isEmpty else { break }
            replicas.time.pass(.milliseconds(250))
            waited += .milliseconds(250)
        }
        #expect((Duration.seconds(3)...Duration.seconds(3.5)).contains(waited))
        let page = try await second
        #expect(try page.ids().first == "p1")
        late.open()
        #expect(try await first.body == page.body)
        #expect(late.calls.count + replicas.library.calls.count == 2)
        #expect(replicas.keys("p1:").count == 1)
    }

    @Test("a replica that has failed leaves the fetch to the next one")
    func failed() async throws {
        let replicas = PageReplicas()
        let broken = FakeLibrary()
        broken.set { $0.failure = .failed(.status(500)) }
        let (a, b) = (try replicas.replica(broken), try replicas.replica())
        #expect(try await a.get("/v1/photos").status.code == 502)
        #expect(replicas.keys().isEmpty, "the lease is released")
        #expect(try await b.get("/v1/photos").status == .ok)
        #expect(replicas.library.calls.count == 1)
    }

    @Test("a cursor continues on another replica in the same snapshot, without a call for known pages")
    func cursors() async throws {
        let replicas = PageReplicas(FakeLibrary(photos: 200))
        let (a, b, c) = (try replicas.replica(), try replicas.replica(), try replicas.replica())
        let first = try await a.get("/v1/photos?limit=45")
        let next = "/v1/photos?limit=30&cursor=" + (try first.page()["nextCursor"].string())
        let onA = try await a.get(next)
        #expect(try onA.ids() == (46...75).map { "p\($0)" })
        let calls = replicas.library.calls.count
        // Later photos would move the pages of another snapshot.
        replicas.library.set { $0.numbers.insert(contentsOf: 1000...1010, at: 0) }
        let onB = try await b.get(next)
        #expect(onB.body == onA.body)
        #expect(replicas.library.calls.count == calls)

        // The next page is unknown to all: one replica fetches it for the same snapshot.
        let further = "/v1/photos?limit=30&cursor=" + (try onB.page()["nextCursor"].string())
        let onC = try await c.get(further)
        #expect(replicas.library.calls.count == calls + 1)
        #expect(try await a.get(further).body == onC.body)
        #expect(try await b.get(further).ids() == onC.ids())
        #expect(replicas.library.calls.count == calls + 1)
    }

    @Test("a new snapshot has the later pages that its replica has adopted, on every replica")
    func adopted() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        _ = try await a.get("/v1/photos?limit=60")
        replicas.library.set { $0.numbers.insert(1000, at: 0) }
        replicas.time.pass(.seconds(301))
        _ = try await a.get("/v1/photos")
        await a.land()
        let renewed = try await a.get("/v1/photos?limit=60")
        #expect(try renewed.ids().first == "p1000")
        #expect(replicas.library.calls.count == 3)
        #expect(try await b.get("/v1/photos?limit=60").ids() == renewed.ids())
        #expect(replicas.library.calls.count == 3)
    }

    @Test("a replica that starts continues a snapshot with an adopted page of more than a day")
    func oldAdoptedPage() async throws {
        let replicas = PageReplicas()
        let a = try replicas.replica()
        _ = try await a.get("/v1/photos?limit=60")
        replicas.time.pass(.seconds(3000))
        _ = try await a.get("/v1/photos")
        await a.land()
        #expect(replicas.library.calls.count == 3)
        replicas.time.pass(.seconds(86_400 - 1000))
        // Page 2 is expired, the snapshot is not; the library fails.
        replicas.library.set { $0.failure = .timedOut }
        let b = try replicas.replica()
        try await replicas.following(b) {
            try await waitUntil { b.service.knows("p60") }
            #expect(try await b.get("/v1/photos?limit=60").ids() == (1...60).map { "p\($0)" })
        }
    }

    @Test("the pages of displaced snapshots are removed from the store")
    func displaced() async throws {
        let replicas = PageReplicas()
        let a = try replicas.replica()
        for round in 1...8 {
            _ = try await a.get("/v1/photos")
            await a.land()
            #expect(replicas.keys("p1:").count == min(round, 5))
            replicas.time.pass(.seconds(301))
        }
    }

    @Test("a replica that starts reads the journal back, and needs no call for what the others have")
    func restart() async throws {
        let replicas = PageReplicas(FakeLibrary(photos: 200))
        let a = try replicas.replica()
        let scrolled = try await a.get("/v1/photos?limit=100")
        let searched = try await a.get("/v1/search/photos?query=frog&color=black_and_white")
        _ = try await a.get("/v1/photos/p150?detail=full")
        let calls = replicas.library.calls.count
        replicas.time.pass(.seconds(100))
        let b = try replicas.replica()
        try await replicas.following(b) {
            try await waitUntil { b.service.knows("p100") && b.service.knows("p150") }
            #expect(try await b.get("/v1/photos?limit=100").ids() == scrolled.ids())
            let again = try await b.ask("/v1/search/photos?query=frog&color=black_and_white")
            #expect(try again.response.ids() == searched.ids())
            #expect(again.response.fields[.age] == "100")
            #expect(try await b.ask("/v1/photos/p150?detail=full").isNow)
        }
        #expect(replicas.library.calls.count == calls)
    }

    @Test("a page that is older than hundreds of displaced ones is read back, too")
    func restartBehindManyTickets() async throws {
        let replicas = PageReplicas(FakeLibrary(photos: 200))
        let a = try replicas.replica()
        _ = try await a.get("/v1/search/photos?query=frog&limit=100")
        let clocks = ClockPair(shared: replicas.engine.now, own: .now)
        for snapshot in 1...400 as ClosedRange<UInt64> {
            await replicas.photos().tell(PhotoNotice(ticket: .pages([1], snapshot: snapshot), records: []), clocks)
        }
        let b = try replicas.replica()
        try await replicas.following(b) { try await waitUntil { b.service.knows("p100") } }
    }

    @Test("details that one replica has fetched are those of all until they are outdated")
    func details() async throws {
        let replicas = PageReplicas()
        let (a, b) = (try replicas.replica(), try replicas.replica())
        let detail = try await a.get("/v1/photos/slug-p7?detail=full")
        #expect(try await b.get("/v1/photos/slug-p7?detail=full").body == detail.body)
        #expect(replicas.library.calls.count == 1)
        replicas.time.pass(.seconds(7201))
        let c = try replicas.replica()
        #expect(try await c.get("/v1/photos/slug-p7?detail=full").status == .ok)
        #expect(replicas.library.calls.count == 2)
        // If the library fails, the outdated record is put back.
        replicas.time.pass(.seconds(7201))
        replicas.library.set { $0.failure = .timedOut }
        #expect(try await c.get("/v1/photos/slug-p7?detail=full").status == .ok)
        #expect(replicas.keys("d1:").count == 1)
    }
}
