import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

@Suite("Idempotency keys in a shared store")
struct SharedBarKeyTests {
    private let key: Fields = [.idempotencyKey: "k"]

    private func keyCount(_ replicas: Replicas) -> Int {
        replicas.store.keys.count { $0.hasPrefix("k:") }
    }

    @Test("a store without memory answers a repeated creation with its bar, and refuses others")
    func full() throws {
        let replicas = try Replicas()
        let first = replicas.a.post("/v1/bars", Bodies.create(), key)
        replicas.store.isFull = true
        #expect(replicas.b.post("/v1/bars", Bodies.create(), key).text == first.text)
        #expect(replicas.b.post("/v1/bars", Bodies.create(y: 3), key).code == "idempotency-key-reused")
        #expect(replicas.b.post("/v1/bars", Bodies.create(), [.idempotencyKey: "l"]).code == "session-limit")
        // The bar has ended, so it would need memory.
        #expect(replicas.a.delete(try #require(first.fields[.location])).status == 204)
        #expect(replicas.b.post("/v1/bars", Bodies.create(), key).code == "session-limit")
    }

    @Test("a creation that stopped halfway is completed by its retry")
    func halfway() throws {
        for fate in [FakeStore.Fate.fails(.unavailable), .fails(.unknownOutcome), .losesReply] {
            let replicas = try Replicas()
            replicas.store.onCall { call in
                call.operation == .create ? fate : .works
            }
            let first = replicas.a.post("/v1/bars", Bodies.create(), key)
            #expect(first.code == "store-unavailable")
            replicas.store.onCall { _ in .works }
            let retry = replicas.b.post("/v1/bars", Bodies.create(), key)
            #expect(retry.status == 201)
            #expect(replicas.a.post("/v1/bars", Bodies.create(), key).string("/id") == retry.string("/id"))
            #expect(replicas.a.sessionCount == 1)
        }
    }

    @Test("a creation that is refused leaves no key")
    func refused() throws {
        let replicas = try Replicas()
        replicas.store.onCall { call in
            call.operation == .create ? .fails(.full) : .works
        }
        #expect(replicas.a.post("/v1/bars", Bodies.create(), key).code == "session-limit")
        #expect(keyCount(replicas) == 0)
        replicas.store.onCall { _ in .works }
        #expect(replicas.b.post("/v1/bars", Bodies.create(y: 7), key).status == 201)
    }
}
