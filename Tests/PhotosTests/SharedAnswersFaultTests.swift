import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary
@testable import Photos

@Suite("Answers that replicas share when the store fails")
struct SharedAnswersFaultTests {
    private let host: Fields = [.host: "photos.example"]

    @Test("while the store is away kept pages are served, and nothing is fetched")
    func away() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        _ = try await a.get("/v1/photos?limit=30")
        _ = try await a.get("/v1/photos/p3?detail=full")
        let calls = replicas.library.calls
        for error in [SharedStateError.unavailable, .unknownOutcome, .full, .refused] {
            replicas.fail(error)
            #expect(try await a.ask("/v1/photos?limit=30").isNow)
            for replica in replicas.all {
                for cold in [
                    "/v1/photos?page=2&perPage=30", "/v1/photos/p50", "/v1/search/photos?query=x",
                    "/v1/photos/unknown/image/thumb",
                ] {
                    let answer = try await replica.get(cold)
                    #expect(answer.status == .serviceUnavailable && answer.code == "store-unavailable")
                    #expect(answer.fields[.retryAfter] == "1" && answer.fields[.cacheControl] == "no-store")
                }
                #expect(try await replica.get("/unsplash/photos/p50").status == .serviceUnavailable)
            }
        }
        for seconds in [600, 4000, 80_000] {
            replicas.time.advance(by: .seconds(seconds))
            let stale = try await a.get("/v1/photos?limit=30")
            #expect(stale.status == .ok)
            #expect(try stale.page()["stale"].bool())
            await a.settle()
        }
        #expect(try await a.get("/v1/photos/p3?detail=full").status == .ok)
        #expect(try await a.get("/v1/photos/p3/image/thumb").status == .ok)
        #expect(replicas.library.calls == calls)
        // Older than a day.
        replicas.time.advance(by: .seconds(4000))
        #expect(try await a.get("/v1/photos?limit=30").status.code == 503)
        replicas.resume()
        #expect(try await a.get("/v1/photos?limit=30").status == .ok)
    }

    /// A full store, or a value of another type under the key, such as a list in Redis.
    @Test(
        "a page whose key cannot have a claim is fetched by each replica that needs it, and not shared",
        arguments: [SharedStateError.full, .refused]
    )
    func noClaim(error: SharedStateError) async throws {
        let replicas = try Replicas()
        let shared = replicas.answers()
        let a = try replicas.replica(shared: shared)
        replicas.fail(error) { $0.operation == .claim }
        for replica in [a, replicas[1]] { #expect(try await replica.get("/v1/photos?limit=30").ids().count == 30) }
        #expect(try await a.ask("/v1/photos?limit=30").isNow)
        #expect(shared.faults == 1 && replicas.library.calls.count == 2)
        replicas.resume()
        #expect(try await a.get("/v1/photos?page=2&perPage=30").status == .ok)
        await a.settle()
        #expect(a.service.status.budget.remaining == 47)
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
            try await waitUntil { replicas.time.sleepers == 1 || !replicas.library.calls.isEmpty }
            guard replicas.library.calls.isEmpty else { break }
            replicas.time.advance(by: .milliseconds(250))
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

    @Test("a client that leaves during a fetch leaves no claim behind")
    func left() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        replicas.library.close()
        let request = Task { try await a.get("/v1/photos?limit=30") }
        try await waitUntil { !replicas.library.calls.isEmpty }
        #expect(!replicas.keys.isEmpty)
        request.cancel()
        _ = await request.result
        try await waitUntil { replicas.keys.isEmpty }
        #expect(replicas.library.cancellations == 1)
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

    @Test("a large document is not stored, and is served by the replica that fetched it")
    func large() async throws {
        let replicas = try Replicas()
        replicas.library.set { $0.padding = AnswerRecord.largestContent }
        let (a, b) = (replicas[0], replicas[1])
        let first = try await a.get("/unsplash/photos", fields: host)
        #expect(replicas.keys.isEmpty, "the claim is released")
        #expect(try await b.get("/unsplash/photos", fields: host).bytes == first.bytes)
        #expect(try await a.get("/unsplash/photos", fields: host).bytes == first.bytes)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a document of another target under the same key is replaced")
    func collision() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        let other = Timestamped(value: LibraryAnswer(Array("[]".utf8)), fetched: a.service.now)
        let key = AnswerRecord.key(of: "/photos?page=1&per_page=30")
        let bytes = AnswerRecord.bytes(other, to: "/photos?page=2&per_page=30", a.service.clock)
        _ = try await replicas.store.claim(key, bytes, timeToLive: .seconds(90))
        #expect(try await a.get("/unsplash/photos", fields: host).bytes.count > 2)
        #expect(replicas.library.calls.count == 1)
        let b = replicas[1]
        #expect(try await b.get("/unsplash/photos", fields: host).bytes.count > 2)
        #expect(replicas.library.calls.count == 1)
    }
}
