import BarFeature
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import Testing

@Suite("Conditions, explanations and names of tracks", .onEveryStore)
struct BarConditionTests {
    @Test(
        "the end of a bar honours If-Match",
        arguments: [
            ("\"1\"", 204), ("*", 204), ("\"7\", \"1\"", 204), ("\"0\"", 412), ("W/\"1\"", 412), ("1", 412), ("", 412),
            ("\"0\", \"2\"", 412),
        ]
    )
    func delete(_ row: (condition: String, status: Int)) throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.offset(1))
        let answer = api.delete(path, [.ifMatch: row.condition])
        #expect(answer.status.code == row.status)
        #expect(api.get(path).status == (row.status == 204 ? 404 : 200))
        if row.status == 412 {
            #expect(answer.code == "precondition-failed")
            #expect(answer.fields[.eTag] == "\"1\"")
        }
        #expect(api.delete("/v1/bars/" + String(repeating: "0", count: 32), [.ifMatch: "*"]).status == 404)
    }

    @Test("a write that If-None-Match excludes changes nothing", arguments: ["*", "\"1\"", "W/\"1\"", "\"0\", \"1\""])
    func ifNoneMatch(_ tags: String) throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.offset(1))
        let answers = [
            api.delete(path, [.ifNoneMatch: tags]),
            api.post(path + "/events", Bodies.offset(2), [.ifNoneMatch: tags]),
            api.put(path + "/tracks", "{\"a\":null}", [.ifMatch: "*", .ifNoneMatch: tags]),
        ]
        #expect(answers.map(\.code) == Array(repeating: "precondition-failed", count: 3))
        #expect(api.get(path).fields[.eTag] == "\"1\"")
        #expect(api.delete(path, [.ifNoneMatch: "\"0\""]).status == 204)
    }

    @Test("a replayed event has its original explanation, if asked for")
    func explain() throws {
        let api = try Service()
        let path = try api.bar()
        let batch = Bodies.batch((1...70).map { Bodies.offset(Double($0 * 3), sequence: $0) })
        let first = api.post(path + "/events?explain=true", batch)
        #expect(first.string("/results/69/explain/rule") == "reduced")
        let again = api.post(path + "/events?explain=true", batch)
        #expect(again.bool("/results/69/replayed") == true)
        #expect(
            again.text.replacing("\"replayed\":true,\"results\"", with: "\"results\"").replacing(
                "\"replayed\":true",
                with: "\"replayed\":false"
            ) == first.text
        )
        // An event that is in the request twice has its explanation both times, if asked for.
        let twice = Bodies.batch([Bodies.offset(1, sequence: 71), Bodies.offset(1, sequence: 71)])
        let both = api.post(path + "/events?explain=true", twice)
        #expect(both.string("/results/1/explain/rule") == both.string("/results/0/explain/rule"))
        #expect(both.string("/results/1/explain/rule") != nil)
        #expect(api.post(path + "/events?results=all", twice).value("/results/1/explain") == nil)
    }

    private static let names: [(name: String, isGood: Bool)] = [
        ("a", true), ("title.alpha", true), ("日本", true), (#"\"\\"#, true), (String(repeating: "é", count: 128), true),
        ("\u{A0}", true), ("", false), (String(repeating: "é", count: 129), false), (#"a\u0000"#, false),
        (#"\u001f"#, false), ("\u{7F}", false), ("a\u{9F}b", false), (#"\n"#, false),
    ]

    @Test("names of tracks have 1 to 128 characters and no controls, even in a removal", arguments: names)
    func trackNames(_ row: (name: String, isGood: Bool)) throws {
        let api = try Service()
        let path = try api.bar()
        let curve = #"{"keyframes":[{"progress":1,"value":2}]}"#
        let created = api.post("/v1/bars", Bodies.create("\"tracks\":{\"\(row.name)\":\(curve)}"))
        let changed = api.put(path + "/tracks", "{\"\(row.name)\":\(curve)}", [.ifMatch: "*"])
        let removed = api.put(path + "/tracks", "{\"\(row.name)\":null}", [.ifMatch: "*"])
        #expect(created.status == (row.isGood ? 201 : 422))
        #expect(changed.status == (row.isGood ? 200 : 422))
        #expect(removed.status == (row.isGood ? 200 : 422))
        guard !row.isGood else { return }
        #expect(created.pointer?.hasPrefix("/tracks/") == true)
        #expect(changed.pointer?.hasPrefix("/") == true)
        #expect(removed.string("/errors/0/detail")?.contains("1 to 128 characters") == true)
        #expect(api.get(path).number("/revision") == 0)
    }

    @Test("names that differ in bytes only are two tracks")
    func composed() throws {
        let api = try Service()
        let tracks = #""é":{"keyframes":[{"progress":1,"value":1}]},"e\u0301":{"keyframes":[{"progress":1,"value":2}]}"#
        let created = api.post("/v1/bars", Bodies.create("\"tracks\":{\(tracks)}"))
        #expect(try created.value("/values")?.object().count == 2)
        let path = try #require(created.fields[.location])
        #expect(api.put(path + "/tracks", #"{"e\u0301":null}"#, [.ifMatch: "*"]).number("/values/é") == 1)
    }

    @Test("one request changes at most 256 tracks")
    func changes() throws {
        let api = try Service()
        let path = try api.bar()
        func change(_ count: Int) -> Response {
            let members = (0..<count).map { "\"n\($0)\":null" }.joined(separator: ",")
            return api.put(path + "/tracks", "{\(members)}", [.ifMatch: "*"])
        }
        #expect(change(256).status == 200)
        let refused = change(257)
        #expect(refused.status == 422)
        #expect(refused.string("/errors/0/detail") == "must be at most 256 tracks in all")
    }
}
