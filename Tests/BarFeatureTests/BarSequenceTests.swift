import BarFeature
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Numbered events: exactly once", .onEveryStore)
struct BarSequenceTests {
    @Test("the same event again gets the same answer and changes nothing, the expiry included")
    func replay() throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.offset(500, sequence: 1))
        let first = api.post(path + "/events?results=all", Bodies.offset(540, sequence: 2))
        api.clock.advance(seconds: 10)
        let again = api.post(path + "/events?results=all", Bodies.offset(540, sequence: 2))
        #expect(again.status == 200)
        #expect(again.bool("/replayed") == true)
        #expect(again.bool("/results/0/replayed") == true)
        #expect(again.fields[.eTag] == "\"2\"")
        #expect(again.string("/expiresAt") == first.string("/expiresAt"))
        #expect(again.number("/state/height") == 160)
        #expect(api.get(path).number("/revision") == 2)
        #expect(api.post(path + "/events", Bodies.offset(540, sequence: 2)).bool("/replayed") == true)
    }

    @Test("a batch may have an event twice")
    func twiceInABatch() throws {
        let api = try Service()
        let path = try api.bar()
        let one = Bodies.offset(500, sequence: 1)
        let two = Bodies.offset(540, sequence: 2)
        let answer = api.post(path + "/events?results=all", Bodies.batch([one, two, one, two]))
        #expect((0..<4).map { answer.bool("/results/\($0)/replayed") } == [false, false, true, true])
        #expect((0..<4).map { answer.number("/results/\($0)/state/height") } == [200, 160, 200, 160])
        let other = Bodies.batch([Bodies.offset(1, sequence: 3), Bodies.offset(2, sequence: 3)])
        let reused = api.post(path + "/events", other)
        #expect(reused.code == "sequence-reused")
        #expect(reused.pointer == "/events/1/sequence")
        #expect(api.get(path).number("/lastSequence") == 2)
    }

    @Test("a batch that has an event twice gets its answer again: every command once, and the last state")
    func twiceInARetry() throws {
        let api = try Service()
        let path = try api.bar()
        let snap = #"{"type":"panGesture","state":"ended","sequence":3}"#
        let events = [Bodies.offset(500, sequence: 1), Bodies.offset(540, sequence: 2), snap, snap]
        let body = Bodies.batch(events + [Bodies.offset(500, sequence: 1)])
        let first = api.post(path + "/events", body)
        let again = api.post(path + "/events", body)
        #expect(first.count("/commands") == 1 && again.count("/commands") == 1)
        for member in ["/state/height", "/lastSequence", "/revision"] {
            #expect(first.number(member) != nil && again.number(member) == first.number(member), "\(member)")
        }
        #expect(again.fields[.eTag] == first.fields[.eTag])
    }

    @Test("a used number with other content is refused")
    func reused() throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.offset(500, sequence: 1))
        for body in [
            Bodies.offset(501, sequence: 1), Bodies.offset(500, sequence: 1, ",\"timestamp\":1"),
            #"{"type":"expand","on":true,"sequence":1}"#,
        ] {
            let answer = api.post(path + "/events", body)
            #expect(answer.status == 409)
            #expect(answer.code == "sequence-reused")
            #expect(answer.pointer == "/sequence")
        }
        // Two ids that are equal for Swift, but not for the clients.
        let set = { (id: String) in #"{"type":"set","sequence":2,"scrollable":\#(Bodies.scrollable(id))}"# }
        #expect(api.post(path + "/events", set("\u{e9}")).status == 200)
        #expect(api.post(path + "/events", set("e\u{301}")).code == "sequence-reused")
        #expect(api.post(path + "/events", set("\u{e9}")).bool("/replayed") == true)
        // Events are compared as values, not as text.
        let same =
            #"{ "sequence": 1.0, "contentOffset": {"y": 5e2, "x": -0}, "type": "contentOffset", "source":"user" }"#
        #expect(api.post(path + "/events", same).bool("/replayed") == true)
    }

    @Test("a gap is refused with the expected number")
    func gap() throws {
        let api = try Service()
        let path = try api.bar()
        let answer = api.post(path + "/events", Bodies.offset(500, sequence: 2))
        #expect(answer.status == 409)
        #expect(answer.code == "sequence-gap")
        #expect(answer.number("/expectedSequence") == 1)
        let batch = Bodies.batch([
            Bodies.offset(1, sequence: 1), Bodies.offset(2, sequence: 2), Bodies.offset(4, sequence: 4),
        ])
        let inner = api.post(path + "/events", batch)
        #expect(inner.number("/expectedSequence") == 3)
        #expect(inner.pointer == "/events/2/sequence")
        #expect(api.get(path).number("/revision") == 0)
    }

    @Test("a retry is answered without regard to If-Match, which it met before")
    func replayIgnoresCondition() throws {
        let api = try Service()
        let path = try api.bar()
        let body = Bodies.offset(500, sequence: 1)
        #expect(api.post(path + "/events", body, [.ifMatch: "\"0\""]).status == 200)
        #expect(api.post(path + "/events", body, [.ifMatch: "\"0\""]).bool("/replayed") == true)
        let next = Bodies.batch([body, Bodies.offset(501, sequence: 2)])
        #expect(api.post(path + "/events", next, [.ifMatch: "\"0\""]).status == 412)
    }

    @Test("the log keeps the last 512 events")
    func trimmed() throws {
        let api = try Service()
        let path = try api.bar()
        for start in stride(from: 1, through: 600, by: 100) {
            let events = (start..<start + 100).map { Bodies.offset(Double($0), sequence: $0) }
            #expect(api.post(path + "/events", Bodies.batch(events)).status == 200)
        }
        #expect(api.post(path + "/events", Bodies.offset(89, sequence: 89)).bool("/replayed") == true)
        let old = api.post(path + "/events", Bodies.offset(88, sequence: 88))
        #expect(old.status == 410)
        #expect(old.code == "sequence-trimmed")
        #expect(old.number("/firstSequence") == 89)
        #expect(api.get(path + "/states?at=89").status == 200)
        #expect(api.get(path + "/states?at=88").status == 410)
        #expect(api.get(path + "/states?at=0").status == 410)
        #expect(api.get(path + "/events?limit=1").number("/events/0/sequence") == 89)
    }
}
