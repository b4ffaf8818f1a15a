import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

@Suite("Clients' shares of the bars of several replicas")
struct SharedClientShareTests {
    private let greedy = "192.0.2.1"
    private let limit = 3

    private func replicas() throws -> Replicas { try Replicas(maxSessionsPerClient: limit) }

    private func create(_ api: Service, _ key: String? = nil) -> Response {
        api.post("/v1/bars", Bodies.create(), key.map { [.idempotencyKey: $0] } ?? [:], peer: greedy)
    }

    /// Creates bars until one is refused; returns their paths.
    private func fill(_ replicas: Replicas) throws -> [String] {
        var paths: [String] = []
        for number in 0..<100 {
            let answer = create(replicas[number])
            guard let path = answer.fields[.location] else {
                #expect(answer.code == "client-share", "\(answer.text)")
                return paths
            }
            paths.append(path)
        }
        Issue.record("no creation was refused")
        return paths
    }

    /// The key of the share of the client with bars.
    private func share(_ replicas: Replicas) throws -> String {
        try #require(replicas.store.keys.first { $0.hasPrefix("c:") })
    }

    private static func isOfShare(_ call: FakeStore.Call) -> Bool { [.share, .unshare].contains(call.operation) }

    @Test("replicas count together, and a deletion through any of them frees a place")
    func together() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        #expect(paths.count == limit)
        #expect(replicas.a.post("/v1/bars", Bodies.create(), peer: "192.0.2.2").status == 201)
        for (number, path) in paths.enumerated() {
            #expect(replicas[number + 1].delete(path).status == 204)
            #expect(create(replicas[number]).status == 201)
            #expect(create(replicas[number + 1]).code == "client-share")
        }
    }

    @Test(
        "a late release does not end the counting of a bar that a key has made again",
        arguments: [false, true]
    )
    func lateRelease(isFirst: Bool) async throws {
        let replicas = try replicas()
        let path = try #require(create(replicas.a, "k").fields[.location])
        let gate = Gate()
        if !isFirst {
            replicas.store.onCall { $0.operation == .unshare ? .fails(.unavailable) : .works }
            #expect(replicas.a.delete(path).status == 204)
        }
        replicas.store.onCall { $0.operation == .unshare ? .waits(gate) : .works }
        async let release: Void = blocking {
            if isFirst { _ = replicas.a.delete(path) } else { replicas.a.expire() }
        }
        try await waitUntil { gate.count == 1 }
        async let again = blocking { create(replicas.a, "k").fields[.location] }
        // Time for a counting that does not wait for the release.
        try await Task.sleep(for: .milliseconds(50))
        gate.open()
        await release
        #expect(await again == path)
        #expect(try fill(replicas).count == limit - 1)
    }

    @Test("a share that the store has lost counts the later bars, and those that are written to")
    func lost() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        replicas.store.forget(try share(replicas))
        replicas.clock.advance(seconds: 300)
        for path in paths.prefix(2) { #expect(replicas.a.post(path + "/events", Bodies.offset(1)).status == 200) }
        #expect(try fill(replicas).count == 1)
    }

    @Test("the last deletion removes the share, and the address is not in its key")
    func removed() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        let key = try share(replicas)
        #expect(key.count <= 18)
        #expect(!key.contains("192"))
        #expect(replicas.b.delete(paths[0]).status == 204)
        // A creation that is repeated leaves the bar in its share.
        let keyed = try #require(create(replicas.a, "k").fields[.location])
        #expect(create(replicas.b, "k").fields[.location] == keyed)
        for path in paths[1...] + [keyed] { #expect(replicas.b.delete(path).status == 204) }
        #expect(replicas.store.keys == ["k:0:k"], "a key lives for an hour")
    }

    @Test("a bar that has ended frees its place a quarter of its time later, and one that is written to does not")
    func ended() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        replicas.clock.advance(seconds: 800)
        #expect(replicas.a.post(paths[1] + "/events", Bodies.offset(1)).status == 200)
        #expect(create(replicas.b).code == "client-share")
        // Until 900 + 225 + 60 seconds.
        replicas.clock.advance(seconds: 384)
        #expect(create(replicas.b).code == "client-share")
        replicas.clock.advance(seconds: 1)
        #expect(try fill(replicas).count == 2)
        replicas.clock.advance(seconds: 800)
        #expect(try fill(replicas).count == 1)
    }

    @Test("the writes of a bar keep it counted, with one more call in each quarter of its time")
    func renewed() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        let calls = replicas.calls {
            for number in 0..<400 {
                replicas.clock.advance(seconds: 100)
                for path in paths { #expect(replicas[number].post(path + "/events", Bodies.offset(1)).status == 200) }
            }
        }
        #expect(create(replicas.b).code == "client-share")
        // 40,000 seconds: each bar is counted anew every 300 seconds.
        #expect(calls.count(where: Self.isOfShare) == 3 * 133)
    }

    @Test("repeated creations keep their bars counted")
    func repeated() throws {
        let replicas = try replicas()
        // Within the hour of the keys.
        for step in 0..<5 {
            for key in ["k", "l", "m"] { #expect(create(replicas[step], key).status == 201) }
            replicas.clock.advance(seconds: 800)
        }
        #expect(replicas.a.sessionCount == 3)
        #expect(create(replicas.b).code == "client-share")
    }

    @Test("a write needs no call for the share; a refusal needs one, and a creation two")
    func calls() throws {
        let replicas = try replicas()
        func count(_ body: () -> Response) -> (calls: Int, ofShare: Int) {
            let calls = replicas.calls { _ = body() }
            return (calls.count, calls.count(where: Self.isOfShare))
        }
        #expect(count { create(replicas.a) } == (2, 1))
        #expect(count { create(replicas.a, "k") } == (3, 1))
        #expect(count { create(replicas.b, "k") } == (2, 0))
        let path = try #require(create(replicas.b).fields[.location])
        #expect(count { create(replicas.a) } == (1, 1))
        #expect(count { replicas.b.post(path + "/events", Bodies.offset(1)) } == (1, 0))
        #expect(count { replicas.b.delete(path) } == (2, 1))
        let open = try Replicas()
        let calls = try open.calls {
            let path = try #require(create(open.a).fields[.location])
            _ = open.a.delete(path)
        }
        #expect(calls.count == 2)
    }

    @Test("a lost reply about the share neither counts twice nor opens a place", arguments: 0..<3, [true, false])
    func lostReplies(write: Int, hasEffect: Bool) throws {
        let replicas = try replicas()
        for number in 0..<3 {
            let isUsed = Shared(false)
            replicas.store.onCall { call in
                guard number == write, Self.isOfShare(call), !isUsed.current else { return .works }
                isUsed.change { $0 = true }
                return hasEffect ? .losesReply : .fails(.unknownOutcome)
            }
            #expect(create(replicas[number]).status == 201)
        }
        replicas.store.onCall { _ in .works }
        #expect(try fill(replicas).count == 0)
        #expect(replicas.a.sessionCount == 3)
    }

    @Test("a creation that is refused does not count; one with an unknown outcome counts until its end")
    func refused() throws {
        for (error, expected) in [(SharedStateError.unavailable, 3), (.full, 3), (.refused, 3), (.unknownOutcome, 2)] {
            let replicas = try replicas()
            #expect(create(replicas.a).status == 201)
            replicas.store.onCall { $0.operation == .create ? .fails(error) : .works }
            #expect(create(replicas.a).status == (error == .full ? 429 : 503))
            if error == .full {
                replicas.store.onCall { Self.isOfShare($0) ? .fails(error) : .works }
                #expect(create(replicas.a).code == "session-limit")
            }
            replicas.store.onCall { _ in .works }
            #expect(try fill(replicas).count == expected - 1, "\(error)")
            replicas.clock.advance(seconds: 1185)
            #expect(try fill(replicas).count == 3)
        }
    }

    @Test("a creation that a retry completes counts once")
    func halfway() throws {
        let replicas = try replicas()
        replicas.store.onCall { $0.operation == .create ? .losesReply : .works }
        #expect(create(replicas.a, "k").code == "store-unavailable")
        // Its replica ended before it created the bar.
        let bar = try #require(replicas.store.keys.first { $0.hasPrefix("b:") })
        replicas.store.onCall { _ in .works }
        replicas.store.forget(bar)
        #expect(create(replicas.b, "k").fields[.location] == "/v1/bars/" + bar.dropFirst(2))
        #expect(try fill(replicas).count == 2)
    }

    @Test("without the server of its share a client creates no bar, and a deleted one counts until it is back")
    func away() throws {
        let replicas = try replicas()
        let path = try #require(create(replicas.a).fields[.location])
        replicas.store.onCall { Self.isOfShare($0) ? .fails(.unavailable) : .works }
        for key in [nil, "k"] { #expect(create(replicas.a, key).code == "store-unavailable") }
        #expect(replicas.a.delete(path).status == 204)
        replicas.a.expire()
        replicas.store.onCall { _ in .works }
        #expect(create(replicas.b, "k").status == 201)
        #expect(try fill(replicas).count == 1)
        replicas.a.expire()
        #expect(try fill(replicas).count == 1)
        // A release that has succeeded is not sent again.
        #expect(replicas.calls { replicas.a.expire() }.isEmpty)
    }

    @Test("a release is sent again after each error, also that of a creation")
    func resent() throws {
        for error in [SharedStateError.unavailable, .unknownOutcome, .refused, .cancelled] {
            let replicas = try replicas()
            let path = try #require(create(replicas.a).fields[.location])
            replicas.store.onCall { call in
                call.operation == .unshare ? .fails(error) : call.operation == .create ? .fails(.full) : .works
            }
            #expect(create(replicas.a).code == "session-limit")
            #expect(replicas.a.delete(path).status == 204)
            #expect(replicas.a.post("/v1/bars", Bodies.create(), peer: "192.0.2.2").code == "session-limit")
            #expect(replicas.calls { replicas.a.expire() }.count == 2, "one for each client: \(error)")
            replicas.store.onCall { _ in .works }
            #expect(replicas.calls { replicas.a.expire() }.count == 3, "\(error)")
            #expect(replicas.calls { replicas.a.expire() }.isEmpty)
            #expect(try fill(replicas).count == limit)
        }
    }

    @Test("a bar that its key makes again before the release was sent stays counted")
    func madeAgain() throws {
        let replicas = try replicas()
        let path = try #require(create(replicas.a, "k").fields[.location])
        replicas.store.onCall { $0.operation == .unshare ? .fails(.unavailable) : .works }
        #expect(replicas.a.delete(path).status == 204)
        replicas.store.onCall { _ in .works }
        #expect(create(replicas.a, "k").fields[.location] == path)
        replicas.a.expire()
        #expect(try fill(replicas).count == limit - 1)
    }

    @Test("a repeated request with a key is refused, and leaves no key")
    func repeatedRefusals() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        for number in 0..<20 { #expect(create(replicas[number], "k").code == "client-share") }
        #expect(!replicas.store.keys.contains { $0.hasPrefix("k:") })
        #expect(replicas.b.delete(paths[0]).status == 204)
        #expect(create(replicas.b, "k").status == 201)
        #expect(create(replicas.a).code == "client-share")
    }
}
