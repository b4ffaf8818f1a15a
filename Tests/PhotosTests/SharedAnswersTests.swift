import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

@Suite("Answers that replicas share")
struct SharedAnswersTests {
    private let host: Fields = [.host: "photos.example"]

    @Test(
        "an answer that one replica has fetched costs another one a call of the store, and then none",
        arguments: [
            "/v1/photos?limit=30", "/v1/photos?page=2&perPage=30", "/v1/photos/slug-p7?detail=full",
            "/unsplash/photos?page=2&per_page=10", "/unsplash/photos/p1", "/unsplash/topics",
            "/unsplash/search/photos?query=frog&page=3&per_page=7", "/unsplash/collections/c/photos",
        ]
    )
    func shared(target: String) async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        let first = try await a.get(target, fields: host)
        #expect(first.status == .ok)
        replicas.time.advance(by: .seconds(100))
        let calls = replicas.store.calls.count
        let second = try await b.get(target, fields: host)
        #expect(replicas.store.calls.dropFirst(calls).map(\.operation) == [.claim])
        #expect(replicas.library.calls.count == 1)
        #expect(second.fields[.age] == "100")
        if target.hasPrefix("/v1/photos?") {
            #expect(try second.ids() == first.ids())
        } else {
            #expect(second.bytes == first.bytes)
            for name: FieldName in [.eTag, .link, .xTotal, .xPerPage] {
                #expect(second.fields[name] == first.fields[name])
            }
        }
        #expect(try await b.ask(target, fields: host).response.bytes == second.bytes)
        #expect(replicas.store.calls.count == calls + 1)
    }

    @Test("the pictures of a page cost no call on a replica that has not served it")
    func pictures() async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        let ids = try await a.get("/v1/photos?limit=30").ids()
        #expect(ids.count == 30)
        // The first one gets the page, which has the others.
        #expect(try await b.get("/v1/photos/p30/placeholder.png").status == .ok)
        let calls = replicas.store.calls.count
        for id in ids { #expect(try await b.get("/v1/photos/\(id)/image/thumb").status == .ok) }
        #expect(replicas.store.calls.count == calls)
        #expect(try await a.get("/v1/photos/p70?detail=full").status == .ok)
        #expect(try await b.get("/v1/photos/p70/placeholder.png").status == .ok)
        #expect(replicas.library.calls == ["/photos?page=1&per_page=30", "/photos/p70"])
    }

    @Test("two replicas make one call, and its claim is kept as long as it takes, even if an extension fails")
    func renewal() async throws {
        let replicas = try Replicas()
        let extensions = Atomic(0)
        replicas.store.onCall { call in
            let isSecond = call.operation == .replace && extensions.add(1, ordering: .relaxed).newValue == 2
            return isSecond ? .fails(.unavailable) : .works
        }
        let (a, b) = (replicas[0], replicas[1])
        replicas.library.close()
        async let first = a.get("/v1/photos")
        try await waitUntil { replicas.library.calls.count == 1 && replicas.time.sleepers == 1 }
        async let second = b.get("/v1/photos")
        for _ in 0..<40 {
            try await waitUntil { replicas.time.sleepers == 2 }
            replicas.time.advance(by: .milliseconds(250))
        }
        try await waitUntil { replicas.time.sleepers == 2 }
        await replicas.library.openWhenWaiting()
        let page = try await first
        replicas.time.advance(by: .milliseconds(250))
        #expect(try await second.ids() == page.ids())
        #expect(replicas.library.calls.count == 1)
    }

    @Test("a claim that was lost is not extended again")
    func lostClaim() async throws {
        let replicas = try Replicas()
        replicas.library.close()
        let (a, b) = (replicas[0], replicas[1])
        // It is not awaited: it may wait for the claim of the other replica in time that nothing advances.
        async let _ = a.get("/v1/photos")
        try await waitUntil { replicas.time.sleepers == 1 }
        replicas.store.forgetAll()
        replicas.time.advance(by: .seconds(1))
        try await waitUntil { replicas.store.calls.contains { $0.operation == .replace } }
        async let second = b.get("/v1/photos")
        try await waitUntil { replicas.library.calls.count == 2 && replicas.time.sleepers > 0 }
        #expect(replicas.time.sleepers == 1)
        await replicas.library.openWhenWaiting()
        #expect(try await second.status == .ok)
    }

    @Test("a replica that stalls with a claim costs one more call and less than 4 s, and its late page is refused")
    func stalled() async throws {
        let replicas = try Replicas()
        let late = FakeLibrary()
        late.set { $0.numbers = Array(500...600) }
        late.close()
        let (a, b) = (try replicas.replica(late, shared: replicas.answers(isStalled: true)), replicas[0])
        async let first = a.get("/v1/photos?limit=30")
        try await waitUntil { late.calls.count == 1 && replicas.time.sleepers == 1 }
        async let second = b.get("/v1/photos?limit=30")
        var waited = Duration.zero
        // The second call is that of the other replica, which has the claim then.
        func isFetching() -> Bool { replicas.store.calls.count { $0.operation == .count } == 2 }
        while !isFetching() {
            // A replica that has the claim sleeps until its extension, for a second.
            try await waitUntil { isFetching() || replicas.time.sleepers(within: .milliseconds(250)) == 1 }
            guard !isFetching() else { break }
            replicas.time.advance(by: .milliseconds(250))
            waited += .milliseconds(250)
        }
        try await waitUntil { !replicas.library.calls.isEmpty }
        #expect((Duration.seconds(3)...Duration.seconds(3.75)).contains(waited))
        let page = try await second
        #expect(try page.ids().first == "p1")
        late.open()
        #expect(try await first.ids() == page.ids())
        #expect(late.calls.count + replicas.library.calls.count == 2)
    }

    @Test("a replica that has failed leaves the fetch to the next one")
    func failed() async throws {
        let replicas = try Replicas()
        let broken = FakeLibrary()
        broken.set { $0.failure = .failed(.status(500)) }
        let (a, b) = (try replicas.replica(broken), replicas[0])
        #expect(try await a.get("/v1/photos").status.code == 502)
        #expect(replicas.keys.isEmpty, "the claim is released")
        #expect(try await b.get("/v1/photos").status == .ok)
        #expect(replicas.library.calls.count == 1)
    }

    @Test("a cursor continues on another replica with the same photos, without a call for known pages")
    func cursors() async throws {
        let replicas = try Replicas(3, FakeLibrary(photos: 200))
        let (a, b, c) = (replicas[0], replicas[1], replicas[2])
        let first = try await a.get("/v1/photos?limit=45")
        let next = "/v1/photos?limit=30&cursor=" + (try first.page()["nextCursor"].string())
        let onA = try await a.get(next)
        #expect(try onA.ids() == (46...75).map { "p\($0)" })
        let calls = replicas.library.calls.count
        // Later photos would move the pages of another snapshot.
        replicas.library.set { $0.numbers.insert(contentsOf: 1000...1010, at: 0) }
        let onB = try await b.get(next)
        #expect(try onB.ids() == onA.ids())
        #expect(replicas.library.calls.count == calls)
        let again = try await b.ask(next)
        #expect(again.isNow && again.response.bytes == onB.bytes)

        // The next page is unknown to all: one replica fetches it for all.
        let further = "/v1/photos?limit=30&cursor=" + (try onB.page()["nextCursor"].string())
        let onC = try await c.get(further)
        #expect(try onC.ids() == (76...105).map { "p\($0)" })
        let after = replicas.library.calls.count
        #expect(after <= calls + 2)
        #expect(try await a.get(further).ids() == onC.ids())
        #expect(try await b.get(further).ids() == onC.ids())
        #expect(replicas.library.calls.count == after)
    }

    @Test("a cursor continues without a hole on a replica whose pages are older")
    func olderPages() async throws {
        let replicas = try Replicas(3, FakeLibrary(photos: 200))
        let (a, b) = (replicas[0], replicas[1])
        _ = try await b.get("/v1/photos?page=2&perPage=30")
        replicas.time.advance(by: .seconds(100))
        replicas.library.set { $0.numbers.insert(contentsOf: 1001...1040, at: 0) }
        let first = try await a.get("/v1/photos?limit=30")
        let next = "/v1/photos?limit=30&cursor=" + (try first.page()["nextCursor"].string())
        // Ten of the new photos have moved to the second page since B fetched it.
        let moved = (Array(1031...1040) + Array(1...20)).map { "p\($0)" }
        #expect(try await b.get(next).ids() == moved)
        #expect(try await a.get(next).ids() == moved)
        #expect(replicas.library.calls.count == 3)
    }

    @Test("an outdated document is fetched again, once for all")
    func outdated() async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        _ = try await a.get("/unsplash/photos", fields: host)
        replicas.time.advance(by: .seconds(301))
        replicas.library.set { $0.numbers.insert(1000, at: 0) }
        let second = try await b.get("/unsplash/photos", fields: host)
        #expect(replicas.library.calls.count == 2)
        #expect(String(decoding: second.bytes, as: UTF8.self).contains("p1000"))
        // A answers with its stale copy, and gets that of B.
        _ = try await a.get("/unsplash/photos", fields: host)
        await a.settle()
        #expect(try await a.get("/unsplash/photos", fields: host).bytes == second.bytes)
        #expect(replicas.library.calls.count == 2)
        replicas.time.advance(by: .seconds(3600))
        #expect(replicas.keys.isEmpty, "what no replica may serve is not kept")
    }

    @Test("random photos and reports of downloads are not shared")
    func uncached() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        for path in ["/unsplash/photos/random", "/unsplash/photos/p1/download?ixid=1"] {
            #expect(try await a.get(path, fields: host).status == .ok)
        }
        #expect(replicas.keys.isEmpty)
    }
}
