import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

@Suite("Streams of bars on several replicas")
struct BarWatchTests {
    /// Opens a stream; returns the function that reads its text so far.
    private func open(_ api: Service, _ path: String) throws -> () -> String {
        let stream = try api.get(path + "/stream?commands=true").stream()
        return { stream.text() ?? "" }
    }

    @Test("an observer gets the writes of every replica, with their commands, and the deletion")
    func changes() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.a, path)
        #expect(read().contains("id: 0"))
        replicas.a.readDueBars()
        #expect(read() == "")
        _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        #expect(read().contains("id: 2"))
        _ = replicas.a.post(path + "/events", Bodies.offset(540))
        #expect(read().contains("id: 3"))
        let answer = replicas.b.post(path + "/events", #"{"type":"panGesture","state":"ended"}"#)
        let command = try #require(answer.text.firstRange(of: #""commands":[{"sequence":4,"#))
        #expect(read().contains(answer.text[command]))
        _ = replicas.b.delete(path)
        #expect(read().contains(#"{"reason":"deleted"}"#))
    }

    @Test("the store watches a bar while it has observers")
    func watches() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        #expect(replicas.store.watchCount == 0)
        let answers = (0..<3).map { _ in replicas.a.get(path + "/stream") }
        #expect(replicas.store.watchCount == 1)
        for answer in answers {
            #expect(replicas.store.watchCount == 1)
            if case .stream(let stream) = answer.content { stream.close() }
        }
        #expect(replicas.store.watchCount == 0)
        #expect(replicas.a.watchedBars == 0)
        #expect(replicas.a.get("/v1/bars/\(String(repeating: "0", count: 32))/stream").status == 404)
        #expect(replicas.store.watchCount == 0)
    }

    @Test(
        "an observer gets the newest state after an interruption, also if the first read fails",
        arguments: [false, true]
    )
    func resynchronising(fails: Bool) throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.a, path)
        _ = read()
        replicas.store.interruptWatches()
        _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        #expect(read() == "")
        if fails { replicas.store.onCall { _ in .fails(.unavailable) } }
        replicas.store.resumeWatches()
        replicas.a.readDueBars()
        if fails {
            replicas.store.onCall { _ in .works }
            #expect(read() == "")
            replicas.tick(replicas.a)
        }
        #expect(read().contains("id: 2"))
        _ = replicas.b.post(path + "/events", Bodies.offset(560))
        #expect(read().contains("id: 3"))
    }

    @Test("a stream ends with reset when its bar went back")
    func reset() throws {
        for isWritten in [false, true] {
            let replicas = try Replicas()
            let path = try replicas.a.bar()
            _ = replicas.a.post(path + "/events", Bodies.offset(500))
            let contents = replicas.store.contents
            let read = try open(replicas.a, path)
            for _ in 0..<5 { _ = replicas.b.post(path + "/events", Bodies.offset(530)) }
            _ = read()
            replicas.store.contents = contents
            if isWritten {
                // The first write to the older state has a lower revision than the last message, which leads to a read.
                _ = replicas.b.post(path + "/events", Bodies.offset(540))
                #expect(read() == "")
            } else {
                replicas.store.resumeWatches()
            }
            replicas.a.readDueBars()
            #expect(read().contains(#"{"reason":"reset"}"#))
            #expect(replicas.a.counters.resets == 1)
            #expect(try open(replicas.a, path)().contains(isWritten ? "id: 2" : "id: 1"))
        }
    }

    @Test("a deletion is no loss for streams of a bar that its key makes again while an older stream is read slowly")
    func deletedAndMadeAgain() throws {
        let replicas = try Replicas()
        let creation = { replicas.b.post("/v1/bars", Bodies.create(), [.idempotencyKey: "k"]) }
        let path = try #require(creation().fields[.location])
        let slow = try open(replicas.a, path)
        for _ in 0..<5 { _ = replicas.b.post(path + "/events", Bodies.offset(530)) }
        #expect(replicas.b.delete(path).status == 204 && creation().status == 201)
        let next = try open(replicas.a, path)
        #expect(next().contains("id: 0"))
        _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        #expect(next().contains("id: 2"))
        replicas.a.readDueBars()
        #expect(replicas.a.counters.resets == 0 && slow().contains(#"{"reason":"deleted"}"#))
    }

    /// A stream with an end that is not sent yet is observed until then.
    @Test("a stream that is read slowly does not make a loss end later streams", arguments: [false, true])
    func slowStream(isEmptied: Bool) throws {
        let replicas = try Replicas()
        let creation = { replicas.b.post("/v1/bars", Bodies.create(), [.idempotencyKey: "k"]) }
        let path = try #require(creation().fields[.location])
        let contents = replicas.store.contents
        for _ in 0..<5 { _ = replicas.b.post(path + "/events", Bodies.offset(530)) }
        let slow = try open(replicas.a, path)
        replicas.store.contents = contents
        if isEmptied { replicas.store.forget("b:" + path.suffix(32)) }
        for _ in 0..<25 { replicas.tick(replicas.a) }
        #expect(replicas.a.counters.resets == 1)
        if isEmptied { _ = creation() }
        let next = try open(replicas.a, path)
        #expect(next().contains("id: 0"))
        for _ in 0..<25 { replicas.tick(replicas.a) }
        _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        #expect(next().contains("id: 2"))
        #expect(!next().contains("event: end") && slow().contains(#"{"reason":"reset"}"#))
        #expect(replicas.a.counters.resets == 1)
    }

    @Test("a stream ends about 10 seconds after the store was emptied, even if the bar is not requested")
    func emptiedSilently() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.b, path)
        replicas.b.readDueBars()
        replicas.clock.advance(seconds: 9)
        _ = replicas.a.post(path + "/events", Bodies.offset(1))
        _ = read()
        replicas.store.forgetAll()
        // The message about the write has confirmed the bar.
        replicas.tick(replicas.b, seconds: 9)
        #expect(read() == "")
        replicas.tick(replicas.b)
        #expect(read() == "")
        replicas.tick(replicas.b)
        #expect(read().contains(#"{"reason":"reset"}"#))
        #expect(replicas.b.counters.resets == 1)
    }

    @Test("at most 32 bars are read at one time")
    func concurrentReads() async throws {
        let replicas = try Replicas()
        let streams = try (0..<40).map { _ in try open(replicas.a, try replicas.a.bar()) }
        replicas.store.interruptWatches()
        replicas.store.resumeWatches()
        let gate = Gate()
        replicas.store.onCall { $0.operation == .read ? .waits(gate) : .works }
        let before = replicas.store.calls.count
        async let reads: Void = blocking { replicas.a.readDueBars() }
        try await waitUntil { gate.count >= 32 }
        for _ in 0..<1000 { await Task.yield() }
        #expect(gate.count == 32)
        gate.open()
        await reads
        #expect(replicas.store.calls.count == before + streams.count)
    }

    @Test("a read that is faster than the message about a deletion ends no stream")
    func deletedBeforeMessage() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.b, path)
        replicas.b.readDueBars()
        _ = read()
        replicas.store.forget("b:" + path.suffix(32))
        replicas.tick(replicas.b, seconds: 10)
        #expect(read() == "")
        #expect(replicas.b.counters.resets == 0)
    }

    @Test("a stream that is promised and never begun leaves no observer")
    func neverBegun() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        // Nothing waits for the stream.
        #expect(try replicas.a.promisesStream(of: path))
        #expect(replicas.a.sessions.store.observers.count == 0)
        #expect(replicas.store.watchCount == 0)
    }

    @Test("a bar that the store still has is read once in 10 seconds, and its stream continues")
    func confirmed() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.b, path)
        replicas.b.readDueBars()
        _ = read()
        let before = replicas.store.calls.count { $0.key == "b:" + path.suffix(32) }
        for _ in 0..<40 { replicas.tick(replicas.b) }
        #expect(replicas.store.calls.count { $0.key == "b:" + path.suffix(32) } == before + 4)
        #expect(read() == "")
        _ = replicas.a.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        #expect(read().contains("id: 2"))
    }

    @Test("a late message is neither shown nor a reset")
    func lateMessage() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.a, path)
        replicas.store.interruptWatches()
        _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        // A reads revision 2 before the message about revision 1 arrives.
        #expect(replicas.a.get(path).number("/revision") == 2)
        replicas.store.resumeWatches()
        replicas.a.readDueBars()
        #expect(read().contains("id: 2"))
        #expect(replicas.a.counters.resets == 0)
    }

    @Test("a stream ends when its bar expires, and not before")
    func expired() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar(Bodies.create(#""ttlSeconds":10"#))
        let read = try open(replicas.a, path)
        _ = read()
        replicas.clock.advance(seconds: 9)
        _ = replicas.b.post(path + "/events", Bodies.offset(500))
        replicas.tick(replicas.a, seconds: 9)
        #expect(!read().contains("end"))
        replicas.tick(replicas.a)
        #expect(read().contains(#"{"reason":"expired"}"#))
    }

    @Test("streams of a bar that a key has made again go on when those of the ended bar end")
    func madeAgain() throws {
        let replicas = try Replicas()
        let creation = { replicas.a.post("/v1/bars", Bodies.create(#""ttlSeconds":10"#), [.idempotencyKey: "k"]) }
        let path = try #require(creation().fields[.location])
        let old = try open(replicas.a, path)
        _ = old()
        replicas.clock.advance(seconds: 10)
        #expect(creation().status == 201)
        let new = try open(replicas.a, path)
        #expect(new().contains("event: state"))
        replicas.a.expire()
        #expect(old().contains(#"{"reason":"expired"}"#))
        _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        let text = new()
        #expect(text.contains("id: 2-") && !text.contains("event: end"))
        #expect(replicas.a.counters.resets == 0)
    }

    @Test(
        "an expired bar is no loss, with clocks that differ, and right after the start of a stream",
        arguments: [-4, 0, 4]
    )
    func expiredByOtherClocks(difference: Int) throws {
        for age in [0, 52, 59] {
            let replicas = try Replicas()
            let clock = TestClock()
            let other = try Engine.$current.withValue(.fakeStore) {
                try Service(seed: 3, shared: replicas.store, clock: clock)
            }
            func advance() {
                replicas.clock.advance(seconds: 1)
                clock.advance(seconds: 1)
            }
            clock.advance(seconds: difference)
            let path = try replicas.a.bar(Bodies.create(#""ttlSeconds":60"#))
            for _ in 0..<age { advance() }
            let read = try open(other, path)
            _ = read()
            for _ in age..<59 {
                advance()
                other.expire()
            }
            #expect(read() == "")
            // Its stream ends soon, though the last read may have been at the end of the bar.
            for _ in 0..<12 {
                advance()
                other.expire()
            }
            #expect(read().contains(#"{"reason":"expired"}"#), "after \(age) seconds")
            #expect(other.counters.resets == 0)
        }
    }

    @Test("a message that cannot be read is counted, and the bar is read")
    func damaged() throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let read = try open(replicas.a, path)
        _ = read()
        let id = "b:" + path.suffix(32)
        let store = replicas.store
        try waiting {
            guard let base = try await store.read(id).flatMap({ RecordVersion($0) }) else { return }
            let next = RecordVersion(high: 1, low: 1).bytes + [9]
            _ = try await store.commit(id, Commit(base: base, record: next, timeToLive: .seconds(60)))
        }
        #expect(replicas.a.counters.unreadable == 1)
        replicas.a.readDueBars()
        #expect(read() == "")
        #expect(replicas.a.sessions.store.observers.count == 1)
    }
}
