import BarFeature
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

@Suite("Clients' shares of the bars")
struct BarShareTests {
    private let greedy = "192.0.2.1"
    private let other = "192.0.2.2"

    @Test("a client's share limits its bars and forks, and no other client's", .everywhere)
    func sessions() throws {
        let api = try Service(maxSessions: 10, maxSessionsPerClient: 3)
        let first = api.post("/v1/bars", Bodies.create(), peer: greedy)
        let path = try #require(first.fields[.location])
        #expect(api.post(path + "/fork", "", peer: greedy).status == 201)
        #expect(api.post("/v1/bars", Bodies.create("\"ttlSeconds\":10"), peer: greedy).status == 201)
        for answer in [api.post("/v1/bars", Bodies.create(), peer: greedy), api.post(path + "/fork", "", peer: greedy)]
        {
            #expect(answer.status == 429)
            #expect(answer.code == "client-share")
            #expect(answer.fields[.retryAfter] == "10")
        }
        // A fork counts for its client, and not for that of its source.
        #expect(api.post(path + "/fork", "", peer: other).status == 201)
        #expect(api.post("/v1/bars", Bodies.create(), peer: other).status == 201)
        // A deleted bar and an expired one no longer count.
        #expect(api.delete(path).status == 204)
        #expect(api.post("/v1/bars", Bodies.create(), peer: greedy).status == 201)
        #expect(api.post("/v1/bars", Bodies.create(), peer: greedy).status == 429)
        // Redis counts by its own clock.
        guard Engine.current != .redis else { return }
        // A shared store counts it for a quarter of its time, and a minute, longer.
        api.clock.advance(seconds: Engine.current.isShared ? 10 + 3 + 60 : 11)
        api.sessions.expire()
        #expect(api.post("/v1/bars", Bodies.create(), peer: greedy).status == 201)
        #expect(api.post("/v1/bars", Bodies.create(), peer: greedy).status == 429)
    }

    @Test("a creation that is repeated with its key counts once", .everywhere)
    func keys() throws {
        let api = try Service(maxSessionsPerClient: 2)
        for _ in 0..<5 {
            #expect(api.post("/v1/bars", Bodies.create(), [.idempotencyKey: "k"], peer: greedy).status == 201)
        }
        #expect(api.post("/v1/bars", Bodies.create(), peer: greedy).status == 201)
        #expect(api.post("/v1/bars", Bodies.create(), [.idempotencyKey: "l"], peer: greedy).status == 429)
        #expect(api.post("/v1/bars", Bodies.create(), [.idempotencyKey: "k"], peer: greedy).status == 201)
    }

    // A shared store has no share of bytes: the memory of its server is not that of this process.
    @Test("200 large bars of one client with a long ttl leave memory for others")
    func bytes() throws {
        let api = try Service(maxSessions: 1000, maxBytes: 8 << 20, maxSessionsPerClient: 100)
        let body = Bodies.create("\"tracks\":\(LargeBodies.keyframes),\"ttlSeconds\":86400")
        var made: [String] = []
        for _ in 0..<200 {
            let answer = api.post("/v1/bars", body, peer: greedy)
            if let path = answer.fields[.location] { made.append(path) } else { #expect(answer.code == "client-share") }
        }
        #expect(!made.isEmpty)
        #expect(api.statistics.bytes <= 1 << 20)
        #expect(api.post("/v1/bars", body, peer: other).status == 201)
        // Tracks that are set later count, too.
        let path = try #require(api.post("/v1/bars", Bodies.create(), peer: greedy).fields[.location])
        let refused = api.put(path + "/tracks", LargeBodies.keyframes, [.ifMatch: "*"])
        #expect(refused.code == "client-share")
        #expect(api.get(path).number("/revision") == 0)
        // Removed tracks no longer count.
        for path in made { #expect(api.delete(path).status == 204) }
        #expect(api.put(path + "/tracks", LargeBodies.keyframes, [.ifMatch: "*"]).status == 200)
    }

    @Test("without an address, and without a setting, there is no share", .onEveryStore)
    func none() throws {
        let open = try Service(maxSessionsPerClient: 0)
        let api = try Service(maxSessionsPerClient: 1)
        for _ in 0..<5 {
            #expect(open.post("/v1/bars", Bodies.create(), peer: greedy).status == 201)
            #expect(api.post("/v1/bars", Bodies.create()).status == 201)
        }
    }
}

@Suite("Idempotency keys and tokens", .everywhere)
struct BarKeyScopeTests {
    private let tokens = ["first-token-of-two", "second-token-of-two"]

    private func authorized(_ token: String, key: String) -> Fields {
        [.authorization: "Bearer \(token)", .idempotencyKey: key]
    }

    @Test("a key belongs to its token: another token gets a bar of its own")
    func scoped() throws {
        let api = try Service(environment: ["SPRINGBAR_API_TOKENS": tokens.joined(separator: ",")])
        let first = api.post("/v1/bars", Bodies.create(), authorized(tokens[0], key: "k"))
        let second = api.post("/v1/bars", Bodies.create(), authorized(tokens[1], key: "k"))
        #expect(first.status == 201)
        #expect(second.status == 201)
        #expect(first.fields[.location] != second.fields[.location])
        // Each token gets its own bar again, even if the field is spaced differently.
        let again: Fields = [.authorization: "bearer  \(tokens[0])", .idempotencyKey: "k"]
        #expect(api.post("/v1/bars", Bodies.create(), again).fields[.location] == first.fields[.location])
        let other = api.post("/v1/bars", Bodies.create(y: 1), authorized(tokens[1], key: "k"))
        #expect(other.code == "idempotency-key-reused")
        // The end of one bar does not change the key of the other.
        #expect(api.delete(try #require(first.fields[.location]), authorized(tokens[1], key: "k")).status == 204)
        let kept = api.post("/v1/bars", Bodies.create(), authorized(tokens[1], key: "k"))
        #expect(kept.fields[.location] == second.fields[.location])
    }

    @Test("without tokens, all clients share the keys: a retry may come from another address")
    func shared() throws {
        let api = try Service()
        let first = api.post("/v1/bars", Bodies.create(), [.idempotencyKey: "k"], peer: "192.0.2.1")
        let second = api.post("/v1/bars", Bodies.create(), [.idempotencyKey: "k"], peer: "192.0.2.2")
        #expect(first.fields[.location] == second.fields[.location])
    }
}
