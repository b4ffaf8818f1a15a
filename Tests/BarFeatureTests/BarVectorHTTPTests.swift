import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("The golden cases over HTTP", .on(.process, .fakeStore, .redis, .wire))
struct BarVectorHTTPTests {
    /// A case of the file; its parts are posted unchanged.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let creation: String
        let events: [String]
        /// The expected results: of the creation, and of each event.
        let expected: [Data]

        var testDescription: String { name }
    }

    static func load() throws -> [Case] {
        let file = try JSONSerialization.jsonObject(with: VectorFile.bar.data()) as? [String: Any]
        return try #require(file?["cases"] as? [[String: Any]]).map { json in
            var creation: [String: Any] = [
                "configuration": json["configuration"] ?? [:],
                "scrollable": json["scrollable"] ?? [:],
                "feedback": json["closedLoop"] as? Bool == true ? "applied" : "echoed",
            ]
            creation["tracks"] = json["tracks"]
            let steps = json["steps"] as? [[String: Any]] ?? []
            return Case(
                name: json["name"] as? String ?? "",
                creation: try text(creation),
                events: try steps.map { try text($0["event"] ?? [:]) },
                expected: try ([json["created"] ?? [:]] + steps.map { $0["expect"] ?? [:] })
                    .map { try JSONSerialization.data(withJSONObject: $0) }
            )
        }
    }

    private static func text(_ json: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: json, options: .sortedKeys), as: UTF8.self)
    }

    @Test("one by one", arguments: try load())
    func singles(_ vector: Case) throws {
        let api = try Service()
        let created = api.post("/v1/bars", vector.creation)
        #expect(created.status == 201)
        try expect(created, vector.expected[0], "created")
        let path = try #require(created.fields[.location])
        for (index, event) in vector.events.enumerated() {
            let answer = api.post(path + "/events", event)
            #expect(answer.status == 200)
            try expect(answer, vector.expected[index + 1], "step \(index)")
            #expect(answer.number("/revision") == Double(index + 1))
        }
    }

    @Test("bars with options have the results of options.json")
    func options() throws {
        let file = try JSONSerialization.jsonObject(with: VectorFile.options.data()) as? [String: Any]
        for vector in try #require(file?["cases"] as? [[String: Any]]) {
            let name = Comment(rawValue: vector["name"] as? String ?? "")
            let api = try Service()
            let created = api.post("/v1/bars", try Self.text(vector["body"] ?? [:]))
            #expect(try result(Self.object(created)) == Self.text(vector["created"] ?? [:]), name)
            let path = try #require(created.fields[.location], name)
            #expect(created.status == 201, name)
            for step in vector["steps"] as? [[String: Any]] ?? [] {
                let answer = api.post(path + "/events?results=all", try Self.text(step["event"] ?? [:]))
                if let problem = step["problem"] as? [String: Any] {
                    #expect(answer.code == problem["code"] as? String, name)
                    #expect(answer.status.code == problem["status"] as? Int, name)
                } else {
                    #expect(answer.status == 200, name)
                    let results = try Self.object(answer)["results"] as? [[String: Any]]
                    #expect(try result(#require(results?.first)) == Self.text(step["expect"] ?? [:]), name)
                }
            }
            let snapshot = try Self.object(api.get(path))["snapshot"]
            #expect(try Self.text(snapshot ?? [:]) == Self.text(vector["snapshot"] ?? [:]), name)
        }
    }

    private static func object(_ answer: Response) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any] ?? [:]
    }

    /// Returns the members of a result that a case of options.json has.
    private func result(_ object: [String: Any]) throws -> String {
        var members = object.filter { ["state", "scrollable", "preconfigured", "crossings"].contains($0.key) }
        members["commands"] = (object["commands"] as? [[String: Any]])?.map { $0.filter { $0.key != "sequence" } }
        if let values = object["values"] as? [String: Any], !values.isEmpty { members["values"] = values }
        return try Self.text(members)
    }

    private func expect(_ answer: Response, _ data: Data, _ comment: Comment) throws {
        let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        func near(_ pointer: String, _ value: Any?) {
            guard let found = answer.number(pointer), let wanted = (value as? NSNumber)?.doubleValue else {
                Issue.record("\(pointer) is missing: \(comment)")
                return
            }
            #expect(abs(found - wanted) <= 1e-9, comment)
        }
        func insets(_ pointer: String, _ json: [String: Any]) {
            near(pointer + "/contentInset/top", json["contentInsetTop"])
            near(pointer + "/contentInset/bottom", json["contentInsetBottom"])
            near(pointer + "/scrollIndicatorInsets/top", json["scrollIndicatorInsetTop"])
        }
        let state = try #require(expected["state"] as? [String: Any])
        for name in ["offset", "height", "transitionProgress"] { near("/state/\(name)", state[name]) }
        #expect(answer.bool("/state/isExpandedStateAvailable") == state["isExpandedStateAvailable"] as? Bool)
        #expect(answer.string("/state/stateRange") == state["stateRange"] as? String)
        insets("/scrollable", try #require(expected["scrollable"] as? [String: Any]))
        for (name, value) in expected["values"] as? [String: Any] ?? [:] { near("/values/\(name)", value) }
        if let preconfigured = expected["preconfigured"] as? [String: Any] { insets("/preconfigured", preconfigured) }
        let commands = try #require(expected["commands"] as? [[String: Any]])
        #expect(answer.count("/commands") == commands.count, comment)
        let attached = answer.string("/scrollable/id")
        for (index, command) in commands.enumerated() {
            let pointer = "/commands/\(index)"
            near(pointer + "/x", command["x"])
            near(pointer + "/y", command["y"])
            #expect(answer.string(pointer + "/type") == command["type"] as? String)
            #expect(answer.bool(pointer + "/animated") == command["animated"] as? Bool)
            #expect(answer.string(pointer + "/scrollableId") == command["scrollable"] as? String ?? attached)
        }
    }
}
