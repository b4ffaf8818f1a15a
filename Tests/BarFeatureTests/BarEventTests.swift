import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Posting events", .onEveryStore)
struct BarEventTests {
    @Test("a drag moves the bar; the first offset only primes")
    func drag() throws {
        let api = try Service()
        let path = try api.bar()
        #expect(api.post(path + "/events", Bodies.offset(500)).number("/state/height") == 200)
        #expect(api.post(path + "/events", Bodies.offset(540)).number("/state/height") == 160)
        let ended = api.post(path + "/events", #"{"type":"panGesture","state":"ended"}"#)
        #expect(ended.number("/state/height") == 200)
        #expect(ended.number("/commands/0/y") == 500)
        #expect(ended.number("/commands/0/sequence") == 3)
        #expect(ended.number("/commands/0/duration") == 0.25)
        #expect(ended.fields[.eTag] == "\"3\"")
    }

    @Test("a batch has the last state and all commands, and results if asked for")
    func scopes() throws {
        let body = Bodies.batch([
            Bodies.offset(500), Bodies.offset(540), #"{"type":"panGesture","state":"ended"}"#, Bodies.offset(700),
        ])
        func answer(_ query: String) throws -> Response {
            let api = try Service()
            return api.post(try api.bar() + "/events" + query, body)
        }
        let plain = try answer("")
        #expect(plain.text == (try answer("?results=last")).text)
        #expect(plain.number("/state/height") == 100)
        #expect(plain.count("/commands") == 1)
        #expect(plain.number("/commands/0/sequence") == 3)
        #expect(plain.value("/results") == nil)

        let all = try answer("?results=all")
        #expect(all.count("/results") == 4)
        #expect((0..<4).map { all.number("/results/\($0)/state/height") } == [200, 160, 200, 100])
        #expect((0..<4).map { all.number("/results/\($0)/sequence") } == [1, 2, 3, 4])
        #expect((0..<4).map { all.bool("/results/\($0)/replayed") } == [false, false, false, false])
        #expect(all.count("/results/2/commands") == 1)
        #expect(all.value("/results/0/crossings") == nil)
        #expect(all.string("/results/2/crossings/0/from") == "compact")
        #expect(all.string("/results/2/crossings/0/to") == "normal")
        #expect(all.string("/results/2/crossings/0/direction") == "expanding")
        #expect(all.string("/results/3/crossings/0/direction") == "collapsing")

        let none = try answer("?results=none")
        #expect(none.number("/state/height") == 100)
        #expect(none.number("/revision") == 4)
        for member in ["/commands", "/values", "/results"] { #expect(none.value(member) == nil) }
    }

    @Test("an explanation is a part of a result, and needs it")
    func explain() throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.offset(500))
        #expect(api.post(path + "/events?explain=true&results=all", Bodies.offset(700)).status == 200)
        #expect(api.post(path + "/events?explain=true&results=last", Bodies.offset(700)).status == 400)
        #expect(api.post(path + "/events?explain=maybe", Bodies.offset(700)).status == 422)
        #expect(api.post(path + "/events?results=some", Bodies.offset(700)).status == 422)
        #expect(api.get(path).number("/revision") == 2)
    }

    @Test("an event for another view is refused with its whole batch")
    func mismatch() throws {
        let api = try Service()
        let path = try api.bar()
        let batch = Bodies.batch([Bodies.offset(0), Bodies.offset(1, ",\"scrollableId\":\"other\"")])
        #expect(api.post(path + "/events", batch).pointer == "/events/1/scrollableId")
        #expect(api.get(path).fields[.eTag] == "\"0\"")
        // After a `set` in the same batch the new view is the attached one.
        let set = "{\"type\":\"set\",\"scrollable\":\(Bodies.scrollable("other"))}"
        let swap = Bodies.batch([set, Bodies.offset(1, ",\"scrollableId\":\"other\"")])
        #expect(api.post(path + "/events", swap).string("/scrollable/id") == "other")
        // Equal for Swift, but not for the clients in other languages.
        let named = try api.bar(Bodies.create().replacing("\"feed\"", with: "\"\u{e9}\""))
        let twin = api.post(named + "/events", Bodies.offset(1, ",\"scrollableId\":\"e\u{301}\""))
        #expect(twin.code == "scrollable-mismatch")
    }

    @Test("samples of the bar's own animation are logged and do not move the bar")
    func animation() throws {
        let api = try Service()
        let path = try api.bar()
        let before = api.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(540)]))
        #expect(before.number("/state/height") == 160)
        _ = api.post(path + "/events", #"{"type":"panGesture","state":"ended"}"#)
        let answer = api.post(path + "/events?explain=true", Bodies.offset(520, ",\"source\":\"animation\""))
        #expect(answer.number("/state/height") == 200)
        #expect(answer.number("/lastSequence") == 4)
        #expect(answer.string("/results/0/explain/rule") == "ownAnimation")
        #expect(api.get(path + "/events").string("/events/3/source") == "animation")
        // Without `source` the same sample undoes a part of the snap.
        #expect(api.post(path + "/events", Bodies.offset(520)).number("/state/height") == 180)
    }
}
