import HTTPExchange
import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite("Idempotency keys in a shared store")
struct SharedBarKeyTests {
    private let key = [(FieldName.idempotencyKey, "k")]

    private func keyCount(_ replicas: Replicas) -> Int {
        replicas.engine.keys.count { $0.text.hasPrefix("k:") }
    }

    @Test("a key creates one bar through all replicas")
    func once() throws {
        let replicas = try Replicas()
        let first = replicas.a.post("/v1/bars", Bodies.create(), key)
        let second = replicas.b.post("/v1/bars", Bodies.create(), key)
        #expect(first.status == 201)
        #expect(second.text == first.text)
        #expect(replicas.b.post("/v1/bars", Bodies.create(y: 3), key).code == "idempotency-key-reused")
        #expect(replicas.a.sessionCount == 1)
    }

    @Test("a creation that stopped halfway is completed by its retry")
    func halfway() throws {
        for fate in [FakeEngine.Fate.fails(.unavailable), .fails(.unknownOutcome), .losesReply] {
            let replicas = try Replicas()
            replicas.engine.onCall { call in
                if case .create(let key) = call, !key.text.hasPrefix("k:") { return fate }
                return .works
            }
            let first = replicas.a.post("/v1/bars", Bodies.create(), key)
            #expect(first.code == "store-unavailable")
            replicas.engine.onCall { _ in .works }
            let retry = replicas.b.post("/v1/bars", Bodies.create(), key)
            #expect(retry.status == 201)
            #expect(replicas.a.post("/v1/bars", Bodies.create(), key).string("/id") == retry.string("/id"))
            #expect(replicas.a.sessionCount == 1)
        }
    }

    @Test("a key ends with its bar")
    func ends() throws {
        let replicas = try Replicas()
        let path = try #require(replicas.a.post("/v1/bars", Bodies.create(), key).fields[.location])
        #expect(keyCount(replicas) == 1)
        #expect(replicas.b.delete(path).status == 204)
        #expect(keyCount(replicas) == 0)
        let next = replicas.b.post("/v1/bars", Bodies.create(y: 7), key)
        #expect(next.status == 201)
        // A bar that expires leaves its key for some minutes; another content takes it over.
        replicas.clock.advance(seconds: 905)
        #expect(replicas.a.post("/v1/bars", Bodies.create(y: 8), key).status == 201)
        #expect(keyCount(replicas) == 1)
    }

    @Test("a key lives as long as its bar is written to")
    func renewed() throws {
        let replicas = try Replicas()
        let first = replicas.a.post("/v1/bars", Bodies.create(), key)
        let path = try #require(first.fields[.location])
        for step in 0..<40 {
            replicas.clock.advance(seconds: 200)
            #expect(replicas[step].post(path + "/events", Bodies.offset(1)).status == 200)
        }
        #expect(replicas.b.post("/v1/bars", Bodies.create(), key).string("/id") == first.string("/id"))
        let renewals = replicas.engine.calls.count {
            if case .exchange(let key, _) = $0 { key.text.hasPrefix("k:") } else { false }
        }
        #expect(18...22 ~= renewals)
    }

    @Test("a repeated creation extends the life of the bar")
    func extended() throws {
        let replicas = try Replicas()
        let path = try #require(replicas.a.post("/v1/bars", Bodies.create(), key).fields[.location])
        replicas.clock.advance(seconds: 800)
        #expect(replicas.b.post("/v1/bars", Bodies.create(), key).status == 201)
        replicas.clock.advance(seconds: 800)
        #expect(replicas.a.get(path).status == 200)
        // A's copy is of the same revision and another version.
        #expect(replicas.a.post(path + "/events", Bodies.offset(1)).number("/revision") == 1)
    }
}
