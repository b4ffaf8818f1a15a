import BarFeature
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

/// The rule of ``CreationKey``.
@Suite("Idempotency keys")
struct CreationKeyTests {
    private let key: Fields = [.idempotencyKey: "k"]

    @Test(
        "keys of different bytes are two keys, also if Swift takes them for one text",
        // The keys of the fake store are texts of Swift.
        .on(.process, .redis, .wire)
    )
    func normalisation() throws {
        let api = try Service()
        let ids = ["k\u{e9}", "ke\u{301}", "k\u{e9}"].map { key in
            api.post("/v1/bars", Bodies.create(), [.idempotencyKey: key]).string("/id")
        }
        #expect(ids[0] != ids[1] && ids[0] == ids[2])
    }

    @Test("a bar that was deleted is made again under its id; other content is refused", .onEveryStore)
    func deleted() throws {
        let api = try Service()
        let path = try #require(api.post("/v1/bars", Bodies.create(), key).fields[.location])
        _ = api.post(path + "/events", Bodies.offset(1))
        #expect(api.delete(path).status == 204)
        let other = api.post("/v1/bars", Bodies.create(y: 7), key)
        #expect(other.status == 422)
        #expect(other.code == "idempotency-key-reused")
        #expect(api.get(path).status == 404)
        let again = api.post("/v1/bars", Bodies.create(), key)
        #expect(again.status == 201)
        #expect(again.fields[.location] == path)
        #expect(api.get(path).number("/revision") == 0)
        #expect(api.get(path + "/events").count("/events") == 0)
        #expect(api.sessionCount == 1)
    }

    @Test("a bar that has expired is made again, before and after it was swept", arguments: [false, true])
    func expired(isSwept: Bool) throws {
        let api = try Service(maxSessionsPerClient: 10)
        func create() -> Response {
            api.post("/v1/bars", Bodies.create("\"ttlSeconds\":10"), key, peer: "192.0.2.1")
        }
        let path = try #require(create().fields[.location])
        _ = api.post(path + "/events", Bodies.offset(1))
        api.clock.advance(seconds: 10)
        if isSwept { api.sessions.expire() }
        #expect(create().fields[.location] == path)
        #expect(api.get(path).number("/revision") == 0)
        // The sweep of the expired bar leaves the new one, and gives back the share.
        api.sessions.expire()
        #expect(api.get(path).status == 200)
        #expect(api.statistics.sessions == 1)
        for _ in 0..<9 { #expect(api.post("/v1/bars", Bodies.create(), peer: "192.0.2.1").status == 201) }
        #expect(api.post("/v1/bars", Bodies.create(), peer: "192.0.2.1").status == 429)
    }

    @Test("the streams of an expired bar end when its key makes it again")
    func streams() throws {
        let api = try Service()
        let body = Bodies.create("\"ttlSeconds\":10")
        let path = try #require(api.post("/v1/bars", body, key).fields[.location])
        let open = api.get(path + "/stream")
        #expect(api.sessions.store.observers.count == 1)
        api.clock.advance(seconds: 10)
        #expect(api.post("/v1/bars", body, key).fields[.location] == path)
        #expect(api.sessions.store.observers.count == 0)
        #expect(open.status == 200)
        // A stream of the new bar goes on.
        let next = api.get(path + "/stream")
        api.sessions.expire()
        #expect(api.sessions.store.observers.count == 1)
        #expect(next.status == 200)
    }

    @Test(
        "a key ends an hour after the first creation, or after the ttl of its bar",
        .onEveryStore,
        arguments: [10, 900, 3600, 7200]
    )
    func life(ttl: Int) throws {
        let api = try Service()
        let body = Bodies.create("\"ttlSeconds\":\(ttl)")
        let path = try #require(api.post("/v1/bars", body, key).fields[.location])
        let life = max(3600, ttl)
        api.clock.advance(seconds: life - 1)
        api.expire()
        #expect(api.post("/v1/bars", Bodies.create(y: 7), key).status == 422)
        // A repeated creation does not extend the key.
        #expect(api.post("/v1/bars", body, key).fields[.location] == path)
        api.clock.advance(seconds: 1)
        let next = api.post("/v1/bars", Bodies.create(y: 7), key)
        #expect(next.status == 201)
        #expect(next.fields[.location] != path)
    }

    @Test("a full service answers 429 until a bar ends, and a creation that is refused leaves no key")
    func refused() throws {
        let api = try Service(maxSessions: 1)
        let path = try api.bar()
        let refused = api.post("/v1/bars", Bodies.create(), key)
        #expect(refused.status == 429)
        #expect(refused.code == "session-limit")
        #expect(refused.fields[.retryAfter] == "10")
        #expect(api.post(path + "/fork", "").status == 429)
        _ = api.delete(path)
        #expect(api.post("/v1/bars", Bodies.create(y: 7), key).status == 201)
    }

    @Test("a bar that has expired is made again in its own place")
    func place() throws {
        let api = try Service(maxSessions: 2)
        let kept = try api.bar(Bodies.create("\"ttlSeconds\":86400"))
        let body = Bodies.create("\"ttlSeconds\":1000")
        let path = try #require(api.post("/v1/bars", body, key).fields[.location])
        api.clock.advance(seconds: 1000)
        #expect(api.post("/v1/bars", body, key).fields[.location] == path)
        api.sessions.expire()
        #expect(api.get(kept).status == 200)
        #expect(api.get(path).status == 200)
    }

    @Test("a full store ends old keys that have no bar, and no other key")
    func unused() throws {
        let api = try Service(maxSessions: 1000, maxBytes: 40_000)
        let body = Bodies.create("\"ttlSeconds\":86400")
        func create(_ number: Int) -> Response {
            api.post("/v1/bars", body, [.idempotencyKey: "\(number)" + String(repeating: "k", count: 200)])
        }
        let kept = try #require(create(0).fields[.location])
        var number = 1
        while let path = create(number).fields[.location] {
            #expect(api.delete(path).status == 204)
            number += 1
        }
        api.sessions.expire()
        #expect(create(number).code == "session-limit", "no key is older than the usual time to live")
        api.clock.advance(seconds: 901)
        #expect(api.post(kept + "/events", Bodies.offset(1)).status == 200)
        #expect(create(number).code == "session-limit")
        api.sessions.expire()
        #expect(create(number).status == 201)
        #expect(create(0).fields[.location] == kept)
    }

    @Test("keys take bytes of their clients' shares until they end")
    func bytes() throws {
        let api = try Service(maxSessions: 1000, maxBytes: 80_000, maxSessionsPerClient: 100)
        func create(_ number: Int, _ peer: String) -> Response {
            let text = "\(number)" + String(repeating: "k", count: 200)
            return api.post("/v1/bars", Bodies.create(), [.idempotencyKey: text], peer: peer)
        }
        var made = 0
        for number in 0..<100 {
            let answer = create(number, "192.0.2.1")
            guard let path = answer.fields[.location] else {
                #expect(answer.code == "client-share")
                break
            }
            made += 1
            #expect(api.delete(path).status == 204)
        }
        // A share of 10,000 bytes has room for that many keys of 200 bytes.
        #expect(15...30 ~= made)
        #expect(api.statistics.bytes <= 10_000)
        #expect(create(1000, "192.0.2.2").status == 201)
        api.clock.advance(seconds: 3600)
        api.sessions.expire()
        #expect(api.statistics.bytes == 0)
        #expect(create(0, "192.0.2.1").status == 201)
    }
}
