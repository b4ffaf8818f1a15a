import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("The log, past states, forks and dry runs", .onEveryStore)
struct BarHistoryTests {
    private static let flat = #"{"keyframes":[{"progress":1,"value":7}]}"#

    @Test("the log has the events as they were sent")
    func log() throws {
        let api = try Service()
        let path = try api.bar()
        let events = [
            #"{"sequence":1,"type":"contentOffset","contentOffset":{"x":0.25,"y":500}}"#,
            #"{"sequence":2,"type":"contentSize","contentSize":{"width":375,"height":4800}}"#,
            #"{"sequence":3,"type":"frame","frame":{"x":0,"y":1,"width":2,"height":3}}"#,
            #"{"sequence":4,"type":"contentInset","contentInset":{"top":1,"left":2,"bottom":3,"right":4}}"#,
            #"{"sequence":5,"type":"panGesture","state":"ended","velocity":{"x":0,"y":-812.4}}"#,
            #"{"sequence":6,"type":"panGesture","state":"possible"}"#,
            #"{"sequence":7,"type":"expand","on":true,"scrollableId":"feed","timestamp":12.5}"#,
            #"{"sequence":8,"type":"expand","on":false}"#,
            """
            {"sequence":9,"type":"preconfigure","scrollable":{"id":"b","contentOffset":{"x":0,"y":0},\
            "contentSize":{"width":1,"height":2},"frame":{"x":0,"y":0,"width":1,"height":2},\
            "contentInset":{"top":0,"left":0,"bottom":0,"right":0}}}
            """,
            """
            {"sequence":10,"type":"set","scrollable":{"id":"ö","contentOffset":{"x":0,"y":0},\
            "contentSize":{"width":1,"height":2},"frame":{"x":0,"y":0,"width":1,"height":2},\
            "contentInset":{"top":0,"left":0,"bottom":0,"right":0}}}
            """,
            #"{"sequence":11,"type":"contentOffset","contentOffset":{"x":0,"y":-0.5},"source":"animation"}"#,
        ]
        #expect(api.post(path + "/events", Bodies.batch(events)).status == 200)
        let log = api.get(path + "/events")
        #expect(log.text == "{\"events\":[\(events.joined(separator: ","))],\"hasMore\":false}")
        // Sent to a second bar, they have the same result.
        let twin = try api.bar()
        #expect(api.post(twin + "/events", Bodies.batch(events)).number("/lastSequence") == 11)
        func state(_ path: String) throws -> String {
            try #require(api.get(path).text.components(separatedBy: "\"state\"").last)
        }
        #expect(try state(twin) == state(path))
    }

    @Test("the log has pages")
    func pages() throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.batch((1...150).map { Bodies.offset(Double($0)) }))
        var after = 0
        var sizes: [Int] = []
        while true {
            let page = api.get(path + "/events?after=\(after)&limit=64")
            let count = try #require(page.count("/events"))
            sizes.append(count)
            #expect((0..<count).map { page.number("/events/\($0)/sequence") } == (1...count).map { Double(after + $0) })
            after += count
            if page.bool("/hasMore") == false { break }
        }
        #expect(sizes == [64, 64, 22])
        #expect(api.get(path + "/events?after=150").count("/events") == 0)
        #expect(api.get(path + "/events").count("/events") == 100)
    }

    @Test("tracks are set and removed at the present revision")
    func tracks() throws {
        let api = try Service()
        let path = try api.bar()
        #expect(api.put(path + "/tracks", "{\"a\":\(Self.flat)}").code == "precondition-required")
        #expect(api.put(path + "/tracks", "{\"a\":\(Self.flat)}", [.ifMatch: "\"1\""]).code == "precondition-failed")
        let set = api.put(path + "/tracks", "{\"a\":\(Self.flat),\"b\":\(Self.flat)}", [.ifMatch: "\"0\""])
        #expect(set.status == 200)
        #expect(set.fields[.eTag] == "\"1\"")
        #expect(set.number("/lastSequence") == 0)
        #expect(set.text.hasSuffix(#""commands":[],"values":{"a":7,"b":7}}"#))
        let removed = api.put(path + "/tracks", #"{"a":null,"never":null}"#, [.ifMatch: "\"1\""])
        #expect(removed.text.hasSuffix(#""values":{"b":7}}"#))
        #expect(removed.fields[.eTag] == "\"2\"")
        let many = (0..<128).map { "\"t\($0)\":\(Self.flat)" }.joined(separator: ",")
        #expect(api.put(path + "/tracks", "{\(many)}", [.ifMatch: "*"]).status == 422)
        #expect(api.put(path + "/tracks", "{\(many),\"b\":null}", [.ifMatch: "*"]).status == 200)
    }

    @Test("a past state has the tracks of that time and no end")
    func states() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create("\"tracks\":{\"a\":\(Self.flat)}"))
        let created = api.get(path)
        var answers = [created.text]
        for (index, y) in [500.0, 530, 560, 700].enumerated() {
            _ = api.post(path + "/events", Bodies.offset(y))
            answers.append(api.get(path).text)
            if index == 1 { _ = api.put(path + "/tracks", "{\"b\":\(Self.flat)}", [.ifMatch: "\"2\""]) }
        }
        let expiry = try #require(created.string("/expiresAt"))
        for (sequence, text) in answers.enumerated() {
            let past = api.get(path + "/states?at=\(sequence)")
            #expect(past.text == text.replacingOccurrences(of: "\"\(expiry)\"", with: "null"))
        }
        #expect(api.get(path + "/states?at=2").text.hasSuffix(#""values":{"a":7}}"#))
        #expect(api.get(path + "/states?at=3").text.hasSuffix(#""values":{"a":7,"b":7}}"#))
        #expect(api.get(path + "/states?at=3").number("/revision") == 4)
        #expect(api.get(path + "/states?at=5").status == 422)
    }

    @Test("changes of tracks are in the log between their events, without numbers")
    func tracksInLog() throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.put(path + "/tracks", "{\"a\":\(Self.flat)}", [.ifMatch: "*"])
        _ = api.post(path + "/events", Bodies.offset(500))
        _ = api.put(path + "/tracks", #"{"a":null}"#, [.ifMatch: "*"])
        _ = api.post(path + "/events", Bodies.offset(530))
        #expect(
            api.get(path + "/events").text == """
                {"events":[{"type":"tracks","revision":1,"tracks":{"a":\(Self.flat)}},\
                {"sequence":1,"type":"contentOffset","contentOffset":{"x":0,"y":500}},\
                {"type":"tracks","revision":3,"tracks":{"a":null}},\
                {"sequence":2,"type":"contentOffset","contentOffset":{"x":0,"y":530}}],"hasMore":false}
                """
        )
        #expect(api.get(path + "/events?limit=1").count("/events") == 2)
        #expect(api.get(path + "/events?after=1").count("/events") == 2)
        #expect(api.get(path + "/states?at=0").text.hasSuffix(#""values":{}}"#))
        #expect(api.get(path + "/states?at=1").text.hasSuffix(#""values":{"a":7}}"#))
    }

    @Test("a fork starts with the present state and is independent")
    func fork() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create("\"ttlSeconds\":60,\"tracks\":{\"a\":\(Self.flat)}"))
        _ = api.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(540)]))
        let fork = api.post(path + "/fork", "")
        let copy = try #require(fork.fields[.location])
        #expect(fork.status == 201)
        #expect(fork.fields[.eTag] == "\"0\"")
        #expect(fork.number("/lastSequence") == 0)
        #expect(fork.number("/state/height") == 160)
        #expect(fork.count("/commands") == 0)
        #expect(fork.string("/expiresAt") == "2023-11-14T22:14:20Z")
        #expect(api.get(copy + "/events").text == #"{"events":[],"hasMore":false}"#)
        #expect(api.get(copy + "/states?at=0").number("/state/height") == 160)
        _ = api.post(copy + "/events", Bodies.offset(600, sequence: 1))
        #expect(api.get(copy).number("/state/height") == 100)
        #expect(api.get(path).number("/state/height") == 160)
        let longer = api.post(path + "/fork", #"{"ttlSeconds":3600}"#)
        #expect(longer.string("/expiresAt") == "2023-11-14T23:13:20Z")
        #expect(api.post(path + "/fork", #"{"ttl":3600}"#).status == 422)
    }

    @Test("a dry run has no choice of results, and stores nothing")
    func apply() throws {
        let api = try Service()
        let events = "\"events\":[\(Bodies.offset(0)),{\"type\":\"panGesture\",\"state\":\"ended\"}]"
        let body = Bodies.create(y: -200, events)
        let answer = api.post("/v1/bars/apply", body)
        #expect(answer.value("/results/0/explain") == nil)
        #expect(api.post("/v1/bars/apply?explain=true", body).string("/results/0/explain/rule") == "primed")
        #expect(api.post("/v1/bars/apply?results=all", body).status == 400)
        #expect(api.post("/v1/bars/apply", body).text == answer.text)
        #expect(api.sessionCount == 0)
    }
}
