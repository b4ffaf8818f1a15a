import HTTPExchange
import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite("Clients' shares of the bars of several replicas")
struct SharedClientShareTests {
    private let greedy = "192.0.2.1"
    private let limit = 3

    private func replicas(limit: Int = 3) throws -> Replicas {
        try Replicas(maxSessionsPerClient: limit)
    }

    private func create(_ api: BarAPI, _ key: String? = nil) -> Answer {
        api.post("/v1/bars", Bodies.create(), key.map { [(.idempotencyKey, $0)] } ?? [], peer: greedy)
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

    /// Whether a call is about the bars of a client.
    private static func isOfShare(_ call: FakeEngine.Call) -> Bool {
        switch call {
        case .create(let key), .read(let key), .readWithLog(let key), .exchange(let key, _), .delete(let key):
            key.text.hasPrefix("c:")
        case .usage: false
        }
    }

    private static func isCreationOfBar(_ call: FakeEngine.Call) -> Bool {
        if case .create(let key) = call { key.isCounted } else { false }
    }

    @Test("replicas count together, and a deletion through any of them frees a place")
    func together() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        #expect(paths.count == limit)
        #expect(replicas.a.post("/v1/bars", Bodies.create(), peer: "192.0.2.2").status == 201)
        // Addresses of one /64 network are one client.
        for end in 1...3 {
            #expect(replicas.a.post("/v1/bars", Bodies.create(), peer: "2001:db8::\(end)").status == 201)
        }
        #expect(replicas.b.post("/v1/bars", Bodies.create(), peer: "2001:db8::9").code == "client-share")
        for (number, path) in paths.enumerated() {
            #expect(replicas[number + 1].delete(path).status == 204)
            #expect(create(replicas[number]).status == 201)
            #expect(create(replicas[number + 1]).code == "client-share")
        }
    }

    @Test("deletions of bars that a lost value counted do not uncount the others")
    func lost() throws {
        for lostCount in 1...3 {
            let replicas = try replicas()
            let lost = try fill(replicas).prefix(lostCount)
            let key = try #require(replicas.engine.keys.first { $0.text.hasPrefix("c:") })
            replicas.engine.forget(key)
            #expect(try fill(replicas).count == limit)
            // The first two lower the count to one; then the changes show the bars.
            for path in lost { #expect(replicas.b.delete(path).status == 204) }
            #expect(replicas.engine.keys.contains(key))
            #expect(try fill(replicas).count == (lostCount < 3 ? lostCount : 0))
        }
    }

    @Test("the last deletion removes the value, and the address is not in its key")
    func removed() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        let key = try #require(replicas.engine.keys.first { $0.text.hasPrefix("c:") })
        #expect(key.text.count <= 18)
        #expect(!key.text.contains("192"))
        #expect(replicas.b.delete(paths[0]).status == 204)
        // A creation that is repeated leaves the bar in its share.
        let keyed = try #require(create(replicas.a, "k").fields[.location])
        #expect(create(replicas.b, "k").fields[.location] == keyed)
        for path in paths[1...] + [keyed] { #expect(replicas.b.delete(path).status == 204) }
        #expect(replicas.engine.keys.map(\.text) == ["k:0:k"], "a key lives for an hour")
    }

    @Test("a bar that has ended frees its place, and one that is written to does not")
    func ended() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        replicas.clock.advance(seconds: 800)
        #expect(replicas.a.post(paths[1] + "/events", Bodies.offset(1)).status == 200)
        #expect(create(replicas.b).code == "client-share")
        replicas.clock.advance(seconds: 101)
        #expect(try fill(replicas).count == 2)
        replicas.clock.advance(seconds: 800)
        #expect(try fill(replicas).count == 1)
    }

    @Test("the writes of a bar keep it counted, with one more write an hour")
    func renewed() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        let calls = replicas.calls {
            for _ in 0..<50 {
                replicas.clock.advance(seconds: 800)
                for path in paths { #expect(replicas.a.post(path + "/events", Bodies.offset(1)).status == 200) }
            }
        }
        #expect(create(replicas.b).code == "client-share")
        // 40,000 seconds: each bar extends the value every 4000 seconds, with a read and a write.
        #expect(calls.count(where: Self.isOfShare) == 3 * 10 * 2)
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
        func count(_ body: () -> Answer) -> (calls: Int, ofShare: Int) {
            let calls = replicas.calls { _ = body() }
            return (calls.count, calls.count(where: Self.isOfShare))
        }
        #expect(count { create(replicas.a) } == (2, 1))
        #expect(count { create(replicas.a, "k") } == (4, 2))
        #expect(count { create(replicas.b, "k") } == (3, 0))
        let path = try #require(create(replicas.b).fields[.location])
        #expect(count { create(replicas.a) } == (1, 1))
        #expect(count { replicas.b.post(path + "/events", Bodies.offset(1)) } == (1, 0))
        #expect(count { replicas.b.delete(path) } == (3, 2))
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
            replicas.engine.onCall { call in
                guard number == write, Self.isOfShare(call), call.isWrite, !isUsed.current else { return .works }
                isUsed.change { $0 = true }
                return hasEffect ? .losesReply : .fails(.unknownOutcome)
            }
            #expect(create(replicas[number]).status == 201)
        }
        replicas.engine.onCall { _ in .works }
        #expect(try fill(replicas).count == 0)
        #expect(replicas.a.sessionCount == 3)
    }

    @Test("a creation that is refused does not count; one with an unknown outcome counts until its end")
    func refused() throws {
        for (error, expected) in [(SharedStateError.unavailable, 3), (.full, 3), (.refused, 3), (.unknownOutcome, 2)] {
            let replicas = try replicas()
            #expect(create(replicas.a).status == 201)
            replicas.engine.onCall { Self.isCreationOfBar($0) ? .fails(error) : .works }
            #expect(create(replicas.a).status == (error == .full ? 429 : 503))
            replicas.engine.onCall { _ in .works }
            #expect(try fill(replicas).count == expected - 1, "\(error)")
            replicas.clock.advance(seconds: 901)
            #expect(try fill(replicas).count == 3)
        }
    }

    @Test("a creation that a retry completes counts once")
    func halfway() throws {
        let replicas = try replicas()
        replicas.engine.onCall { Self.isCreationOfBar($0) ? .losesReply : .works }
        #expect(create(replicas.a, "k").code == "store-unavailable")
        // Its replica ended before it created the bar.
        let bar = try #require(replicas.engine.keys.first { $0.isCounted })
        replicas.engine.onCall { _ in .works }
        replicas.engine.forget(bar)
        #expect(create(replicas.b, "k").fields[.location] == "/v1/bars/" + bar.text)
        #expect(try fill(replicas).count == 2)
    }

    @Test(
        "a removal that fails, or loses its reply, is made a second later, and once",
        arguments: [FakeEngine.Fate.fails(.cancelled), .fails(.unavailable), .losesReply],
        [1, 2, 3]
    )
    func unfinished(fate: FakeEngine.Fate, count: Int) throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        replicas.engine.onCall { Self.isOfShare($0) && $0.isWrite ? fate : .works }
        for path in paths.prefix(count) { #expect(replicas.a.delete(path).status == 204) }
        // The store is still away at the next attempt.
        replicas.a.expire()
        replicas.engine.onCall { _ in .works }
        replicas.a.expire()
        #expect(try fill(replicas).count == count)
        let calls = replicas.calls { replicas.a.expire() }
        #expect(!calls.contains(where: Self.isOfShare))
    }

    @Test("a removal that fails leaves a bar counted that its key has made again")
    func madeAgain() throws {
        let replicas = try replicas()
        let path = try #require(create(replicas.a, "k").fields[.location])
        replicas.engine.onCall { call in
            if case .delete(let key) = call, !key.isCounted { return .fails(.cancelled) }
            return Self.isOfShare(call) && call.isWrite ? .fails(.cancelled) : .works
        }
        #expect(replicas.a.delete(path).status == 204)
        replicas.engine.onCall { _ in .works }
        #expect(create(replicas.b, "k").fields[.location] == path)
        replicas.a.expire()
        #expect(try fill(replicas).count == 2)
    }

    @Test("while the server of the share is away, bars are created and do not count")
    func away() throws {
        let replicas = try replicas()
        replicas.engine.onCall { Self.isOfShare($0) ? .fails(.unavailable) : .works }
        let paths = (0..<5).compactMap { create(replicas[$0]).fields[.location] }
        #expect(paths.count == 5)
        replicas.engine.onCall { _ in .works }
        #expect(try fill(replicas).count == 3)
        // Their ends free no places.
        for path in paths { #expect(replicas.b.delete(path).status == 204) }
        #expect(create(replicas.a).code == "client-share")
    }

    @Test("a store without memory for the share refuses the creation")
    func full() throws {
        let replicas = try replicas()
        replicas.engine.onCall { Self.isOfShare($0) ? .fails(.full) : .works }
        #expect(create(replicas.a).code == "session-limit")
        replicas.engine.onCall { _ in .works }
        #expect(replicas.a.sessionCount == 0)
    }

    @Test("a value that cannot be read is 503, is counted, and stays as it is")
    func unreadable() throws {
        let replicas = try replicas()
        #expect(create(replicas.a).status == 201)
        let key = try #require(replicas.engine.keys.first { $0.text.hasPrefix("c:") })
        replicas.engine.overwrite(key, with: SharedValue(SharedVersion(high: 1, low: 1), [2, 1]))
        replicas.engine.onCall { call in
            if Self.isOfShare(call), case .exchange = call { Issue.record("a write to a value that cannot be read") }
            return .works
        }
        #expect(create(replicas.b).code == "store-unavailable")
        #expect(replicas.b.counters.unreadable == 1)
        #expect(replicas.a.sessionCount == 1)
    }

    @Test("a bar that cannot be read counts, and is not read again for some seconds")
    func unreadableBar() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        let id = SharedKey(String(paths[0].suffix(32)), isCounted: true)
        replicas.clock.advance(seconds: 899)
        for path in paths { #expect(replicas.a.post(path + "/events", Bodies.offset(1)).status == 200) }
        replicas.clock.advance(seconds: 10)
        replicas.engine.onCall { $0 == .read(id) ? .fails(.unavailable) : .works }
        let first = replicas.calls { #expect(create(replicas.a).code == "client-share") }
        #expect(first.count(where: { if case .read = $0 { true } else { false } }) == 3)
        let second = replicas.calls { #expect(create(replicas.a).code == "client-share") }
        #expect(second.count == 1)
        replicas.clock.advance(seconds: 10)
        let third = replicas.calls { #expect(create(replicas.a).code == "client-share") }
        #expect(third.contains(.read(id)))
    }

    @Test("a repeated request with a key is refused without a write")
    func repeatedRefusals() throws {
        let replicas = try replicas()
        let paths = try fill(replicas)
        #expect(create(replicas.a, "k").code == "client-share")
        let calls = replicas.calls {
            for number in 0..<20 { #expect(create(replicas[number], "k").code == "client-share") }
        }
        #expect(!calls.contains { if case .exchange = $0 { true } else { false } })
        // The key, the value with its log, and the removal of the key.
        #expect(calls.count == 20 * 3)
        #expect(replicas.b.delete(paths[0]).status == 204)
        #expect(create(replicas.b, "k").status == 201)
        #expect(create(replicas.a).code == "client-share")
    }

    @Test("the bars of a client at its limit are reviewed once in ten seconds at most")
    func reviews() throws {
        let replicas = try replicas(limit: 20)
        for number in 0..<20 {
            #expect(create(replicas[number]).status == 201)
            replicas.clock.advance(seconds: 1)
        }
        let paths = replicas.engine.keys.filter(\.isCounted).map { "/v1/bars/" + $0.text }
        replicas.clock.advance(seconds: 879)
        // The bars would end at 900 to 919 seconds; each lives on.
        for path in paths { #expect(replicas.a.post(path + "/events", Bodies.offset(1)).status == 200) }
        let calls = replicas.calls {
            for number in 0..<100 {
                #expect(create(replicas[number], number % 3 == 0 ? "k" : nil).code == "client-share")
                if number % 5 == 4 { replicas.clock.advance(seconds: 1) }
            }
        }
        let writes = calls.count { if case .exchange = $0 { true } else { false } }
        #expect((1...2).contains(writes))
    }

    @Test("the log of a client stays short")
    func short() async throws {
        let replicas = try Replicas(maxSessions: 100_000, maxSessionsPerClient: 10_000)
        #expect(create(replicas.a).status == 201)
        for number in 0..<300 {
            let path = try #require(create(replicas[number]).fields[.location])
            #expect(replicas.b.delete(path).status == 204)
        }
        for number in 0..<300 {
            #expect(create(replicas[number]).status == 201)
            replicas.clock.advance(seconds: 100)
        }
        let key = try #require(replicas.engine.keys.first { $0.text.hasPrefix("c:") })
        // The bars of 900 seconds are ten or less.
        let entry = try #require(try await replicas.engine.readWithLog(key))
        #expect(entry.log.count < 100)
    }

    @Test("concurrent creations through two replicas fill the share exactly")
    func concurrent() async throws {
        let replicas = try Replicas(maxSessionsPerClient: 50)
        let created = Shared(0)
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask {
                    for _ in 0..<20 where create(replicas[client]).status == 201 { created.change { $0 += 1 } }
                }
            }
        }
        #expect(created.current == 50)
        #expect(replicas.a.sessionCount == 50)
    }
}
