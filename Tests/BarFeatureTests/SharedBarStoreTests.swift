import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedBars
import SharedState
import TestSupport
import Testing

/// Two replicas of the service on one store, which the test lets fail.
struct Replicas {
    let store: FakeStore
    let clock = TestClock()
    let a: Service
    let b: Service

    init(maxSessionsPerClient: Int = 0) throws {
        let clock = clock
        let store = FakeStore { clock.now }
        self.store = store
        func replica(_ seed: UInt64) throws -> Service {
            try Service(
                maxSessionsPerClient: maxSessionsPerClient,
                seed: seed,
                shared: store,
                clock: clock
            )
        }
        (a, b) = try Engine.$current.withValue(.fakeStore) { (try replica(1), try replica(2)) }
    }

    /// The first or the second replica.
    subscript(index: Int) -> Service { index % 2 == 0 ? a : b }

    /// Advances the time, and then ends and reads what is due on one replica.
    func tick(_ replica: Service, seconds: Int = 1) {
        clock.advance(seconds: seconds)
        replica.expire()
    }

    /// Returns the calls of the store during `body`.
    func calls(_ body: () throws -> Void) rethrows -> [FakeStore.Call] {
        let before = store.calls.count
        try body()
        return Array(store.calls[before...])
    }
}

/// Counts down; true as long as there is something left.
private func times(_ count: Int) -> @Sendable () -> Bool {
    let left = Shared(count)
    return {
        let isLeft = left.current > 0
        left.change { $0 -= 1 }
        return isLeft
    }
}

@Suite("Bars in a shared store")
struct SharedBarStoreTests {
    @Test("writes through one replica need one call each")
    func affinity() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let calls = replicas.calls {
            for number in 1...50 {
                let answer = replicas.a.post(path + "/events", Bodies.offset(Double(number), sequence: number))
                #expect(answer.status == 200)
            }
        }
        #expect(calls.count == 50)
        #expect(calls.allSatisfy { $0.operation == .commit })
    }

    @Test("writes through both replicas in turn need two calls each", arguments: [false, true])
    func roundRobin(isNumbered: Bool) throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let calls = replicas.calls {
            for number in 1...50 {
                let event = Bodies.offset(Double(number), sequence: isNumbered ? number : nil)
                let answer = replicas[number].post(path + "/events", event)
                #expect(answer.status == 200, "\(answer.text)")
            }
        }
        #expect(calls.count <= 100)
        #expect(replicas.a.get(path).number("/revision") == 50)
        // A numbered event shows a gap on an old copy, so the bar is read; another one is refused by the store.
        let conflicts = replicas.a.counters.conflicts + replicas.b.counters.conflicts
        #expect(conflicts == (isNumbered ? 0 : 49))
    }

    // The rule: a copy leads to a write that the store checks, or to nothing. Replica A has a copy that is older than the
    // bar. `BarCopyTests` has the reads, which are never answered from copies.

    @Test("an event for another view is refused on a bar that was just read")
    func view() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let other = #"{"type":"set","scrollable":\#(Bodies.scrollable("other"))}"#
        #expect(replicas.b.post(path + "/events", other).status == 200)
        let more = "\"scrollableId\":\"other\""
        #expect(replicas.a.post(path + "/events", Bodies.offset(1, "," + more)).status == 200)
    }

    // MARK: Failures

    @Test("without the store every request gets 503 at once; afterwards the bars go on")
    func away() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        for error in [SharedStateError.unavailable, .refused] {
            replicas.store.onCall { _ in .fails(error) }
            let answers = [
                replicas.a.post("/v1/bars", Bodies.create()), replicas.a.get(path), replicas.a.delete(path),
                replicas.a.post(path + "/events", Bodies.offset(1)), replicas.a.post(path + "/fork", ""),
                replicas.a.get(path + "/stream"), replicas.a.put(path + "/tracks", "{}", [.ifMatch: "*"]),
                replicas.a.get(path + "/events"),
            ]
            for answer in answers {
                #expect(answer.status == 503)
                #expect(answer.code == "store-unavailable")
                #expect(answer.fields[.retryAfter] == "1")
            }
            #expect(replicas.a.sessions.store.observers.count == 0)
        }
        replicas.store.onCall { _ in .works }
        #expect(replicas.a.post(path + "/events", Bodies.offset(1)).number("/revision") == 1)
    }

    @Test("a store without memory refuses creations with 429, and writes of bars go on without their log")
    func full() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        #expect(replicas.a.post(path + "/events", Bodies.offset(1)).status == 200)
        replicas.store.isFull = true
        let creation = replicas.a.post("/v1/bars", Bodies.create())
        #expect(creation.code == "session-limit")
        #expect(creation.fields[.retryAfter] == "10")
        #expect(replicas.a.post(path + "/events", Bodies.offset(2)).number("/revision") == 2)
        #expect(replicas.b.put(path + "/tracks", "{}", [.ifMatch: "*"]).number("/revision") == 3)
        #expect(replicas.a.get(path).number("/revision") == 3)
        #expect(replicas.a.get(path + "/states?at=1").status == 410)
        replicas.store.isFull = false
        #expect(replicas.a.post(path + "/events", Bodies.offset(3)).number("/revision") == 4)
        #expect(replicas.b.get(path + "/events").number("/events/0/sequence") == 3)
        #expect(replicas.a.delete(path).status == 204)
    }

    @Test("a log of many small entries and then large ones keeps its limit")
    func growingLog() async throws {
        let replicas = try Replicas()
        let name = String(repeating: "😀", count: 128)
        let creation = "{\(Bodies.configuration),\"scrollable\":\(Bodies.scrollable(name))}"
        let path = try #require(replicas.a.post("/v1/bars", creation).fields[.location])
        for value in 0..<700 {
            let tracks = #"{"a":{"keyframes":[{"progress":0,"value":\#(value)}]}}"#
            #expect(replicas.a.put(path + "/tracks", tracks, [.ifMatch: "*"]).status == 200)
        }
        let event = Bodies.offset(-150, ",\"scrollableId\":\"\(name)\"")
        for _ in 0..<8 {
            let batch = Bodies.batch(Array(repeating: event, count: 420))
            #expect(replicas.a.post(path + "/events", batch).status == 200)
            let key = "b:" + path.dropFirst("/v1/bars/".count)
            let stored = try #require(try await replicas.store.readWithLog(key, limit: .max))
            let bytes = stored.entries.reduce(0) { $0 + $1.count }
            #expect(bytes > 0 && bytes <= BarLog.costLimit * 3 / 2)
        }
    }

    @Test("a call that had no reply in time is not sent again: the next one would block the connection, too")
    func noReply() async {
        var calls = 0
        await #expect(throws: SharedStateError.unknownOutcome) {
            _ = try await Retries(pause: { _ in }).run {
                calls += 1
                try await Task.sleep(for: .milliseconds(1100))
                throw SharedStateError.unknownOutcome
            }
        }
        #expect(calls == 1)
    }

    @Test("a write with a lost reply is made once")
    func lostReply() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        for effect in [FakeStore.Fate.losesReply, .fails(.unknownOutcome)] {
            for _ in 0..<20 {
                let isFirst = times(1)
                replicas.store.onCall { $0.isWrite && isFirst() ? effect : .works }
                #expect(replicas.a.post(path + "/events", Bodies.offset(1)).status == 200)
            }
        }
        replicas.store.onCall { _ in .works }
        #expect(replicas.a.get(path).number("/revision") == 40)
        #expect(replicas.a.get(path + "/events").count("/events") == 40)
        let isFirst = times(1)
        replicas.store.onCall { $0.isWrite && isFirst() ? .losesReply : .works }
        #expect(replicas.a.delete(path).status == 204)
        let isLost = times(1)
        replicas.store.onCall { $0.isWrite && isLost() ? .losesReply : .works }
        #expect(replicas.a.post("/v1/bars", Bodies.create()).status == 201)
        #expect(replicas.a.sessionCount == 1)
    }

    @Test("a lost reply, and then a write of another replica: only a numbered event can go on")
    func overtakenLostReply() throws {
        for isNumbered in [true, false] {
            let replicas = try Replicas()
            let path = try replicas.a.bar()
            let isFirst = times(1)
            let isSecond = times(1)
            replicas.store.onCall { call in
                guard call.operation == .commit else { return .works }
                if isFirst() { return .losesReply }
                // The call is sent again; the other replica comes first.
                if isSecond() { _ = replicas.b.post(path + "/events", Bodies.offset(9)) }
                return .works
            }
            let answer = replicas.a.post(path + "/events", Bodies.offset(1, sequence: isNumbered ? 1 : nil))
            #expect(answer.code == (isNumbered ? nil : "store-unavailable"))
            #expect(answer.bool("/replayed") == (isNumbered ? true : nil))
            #expect(replicas.a.get(path).number("/revision") == 2)
        }
    }

    @Test("a store that stays away after a write was sent gets 503 and is asked a few times only")
    func lost() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let isFirst = times(1)
        replicas.store.onCall { _ in isFirst() ? .losesReply : .fails(.unavailable) }
        let calls = replicas.calls {
            #expect(replicas.a.post(path + "/events", Bodies.offset(1, sequence: 1)).code == "store-unavailable")
        }
        #expect(calls.count == 4)
        replicas.store.onCall { _ in .works }
        #expect(replicas.a.post(path + "/events", Bodies.offset(1, sequence: 1)).bool("/replayed") == true)
        #expect(replicas.a.post(path + "/events", Bodies.offset(2, sequence: 2)).number("/revision") == 2)
    }

    @Test("a store that was emptied has no bars, and copies do not bring them back")
    func forgotten() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        _ = replicas.a.post(path + "/events", Bodies.offset(1, sequence: 1))
        replicas.store.forgetAll()
        #expect(replicas.a.post(path + "/events", Bodies.offset(2, sequence: 2)).code == "bar-not-found")
        #expect(replicas.a.get(path).code == "bar-not-found")
        #expect(replicas.store.keys.isEmpty)
    }

    @Test("a bar that cannot be read gets 503 and stays as it is")
    func unreadable() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let key = "b:" + path.suffix(32)
        let newer = RecordVersion(high: 9, low: 9).bytes + [2, 1, 2, 3]
        replicas.store.overwrite(key, with: newer)
        for answer in [
            replicas.b.get(path), replicas.b.post(path + "/events", Bodies.offset(1)), replicas.b.delete(path),
            replicas.a.post(path + "/events", Bodies.offset(1)), replicas.b.get(path + "/events"),
            replicas.b.post(path + "/fork", ""),
        ] {
            #expect(answer.code == "store-unavailable")
        }
        #expect(replicas.a.counters.unreadable > 0)
        #expect(replicas.b.counters.unreadable > 0)
        replicas.store.onCall { call in
            if call.isWrite { Issue.record("a write to a bar that cannot be read") }
            return .works
        }
        _ = replicas.b.post(path + "/events", Bodies.offset(1))
    }

    @Test("a full log drops its oldest entries, and reads no more of them than it drops")
    func fullLog() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        for number in 1...700 {
            #expect(replicas[number / 50].post(path + "/events", Bodies.offset(Double(number))).status == 200)
        }
        let key = "b:" + path.suffix(32)
        let logged = try waiting { try await replicas.store.readWithLog(key, limit: .max) }
        #expect(512...576 ~= logged?.entries.count ?? 0)
        #expect(replicas.a.get(path + "/states?at=\(700 - 511)").status == 200)
        #expect(replicas.a.get(path + "/states?at=100").code == "sequence-trimmed")
        #expect(replicas.a.get(path + "/events?after=188&limit=512").count("/events") == 512)
    }

    @Test("a write that drops entries reserves the memory of its log, and a read that of the largest one")
    func reservedLog() throws {
        let api = try Replicas().a
        let path = try api.bar()
        for number in 1...575 { #expect(api.post(path + "/events", Bodies.offset(Double(number))).status == 200) }
        let memory = RequestMemory(MemoryAccount(MemoryBudget(limit: 200_000)))
        let operation = try api.submit(to: path, from: 576, memory: memory)
        #expect(throws: Never.self) { try api.perform(operation).waited }
        #expect(api.get(path + "/states?at=63").code == "sequence-trimmed")
        let tooLittle = RequestMemory(MemoryAccount(MemoryBudget(limit: BarLog.costLimit)))
        #expect(throws: (any Error).self) { try api.readLog(operation.id, memory: tooLittle) }
    }
}
