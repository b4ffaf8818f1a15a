import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import TestSupport
import Testing

@Suite("The golden cases over HTTP", .onEveryStore)
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

    static let cases: [Case] = (try? load()) ?? []

    static func load() throws -> [Case] {
        let file = try JSONSerialization.jsonObject(with: VectorFile.bar.data()) as? [String: Any]
        return try (file?["cases"] as? [[String: Any]] ?? []).map { json in
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
        String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self)
    }

    @Test("the file holds the sixty cases")
    func count() throws {
        #expect(try Self.load().count == 60)
    }

    @Test("one by one", arguments: cases)
    func singles(_ vector: Case) throws {
        let api = try BarAPI()
        let created = api.post("/v1/bars", vector.creation)
        #expect(created.status == 201)
        try expect(created, "", vector.expected[0], "created")
        let path = try #require(created.fields[.location])
        for (index, event) in vector.events.enumerated() {
            let answer = api.post(path + "/events", event)
            #expect(answer.status == 200)
            try expect(answer, "", vector.expected[index + 1], "step \(index)")
            #expect(answer.number("/revision") == Double(index + 1))
        }
    }

    @Test("as one batch", arguments: cases.filter { !$0.events.isEmpty })
    func batch(_ vector: Case) throws {
        let api = try BarAPI()
        let path = try api.bar(vector.creation)
        let answer = api.post(path + "/events?results=all", Bodies.batch(vector.events))
        #expect(answer.status == 200)
        for index in vector.events.indices {
            try expect(answer, "/results/\(index)", vector.expected[index + 1], "step \(index)")
        }
        try expect(answer, "", vector.expected[vector.events.count], "last", withCommands: false)
    }

    @Test("without a stored bar", arguments: cases.filter { !$0.events.isEmpty })
    func apply(_ vector: Case) throws {
        let api = try BarAPI()
        let body = vector.creation.dropLast() + ",\"events\":[\(vector.events.joined(separator: ","))]}"
        let answer = api.post("/v1/bars/apply", String(body))
        #expect(answer.status == 200)
        #expect(answer.value("/id")?.isNull == true)
        #expect(answer.value("/expiresAt")?.isNull == true)
        #expect(answer.count("/results") == vector.events.count)
        for index in vector.events.indices {
            try expect(answer, "/results/\(index)", vector.expected[index + 1], "step \(index)")
        }
        #expect(api.sessionCount == 0)
    }

    private func expect(
        _ answer: Answer,
        _ place: String,
        _ data: Data,
        _ comment: Comment,
        withCommands: Bool = true
    ) throws {
        let expected = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        func near(_ pointer: String, _ value: Any?) {
            guard let found = answer.number(place + pointer), let wanted = (value as? NSNumber)?.doubleValue else {
                Issue.record("\(place + pointer) is missing: \(comment)")
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
        #expect(answer.bool(place + "/state/isExpandedStateAvailable") == state["isExpandedStateAvailable"] as? Bool)
        #expect(answer.string(place + "/state/stateRange") == state["stateRange"] as? String)
        insets("/scrollable", try #require(expected["scrollable"] as? [String: Any]))
        for (name, value) in expected["values"] as? [String: Any] ?? [:] { near("/values/\(name)", value) }
        if let preconfigured = expected["preconfigured"] as? [String: Any] { insets("/preconfigured", preconfigured) }
        guard withCommands else { return }
        let commands = try #require(expected["commands"] as? [[String: Any]])
        #expect(answer.count(place + "/commands") == commands.count, comment)
        let attached = answer.string(place + "/scrollable/id")
        for (index, command) in commands.enumerated() {
            let pointer = "/commands/\(index)"
            near(pointer + "/x", command["x"])
            near(pointer + "/y", command["y"])
            #expect(answer.string(place + pointer + "/type") == command["type"] as? String)
            #expect(answer.bool(place + pointer + "/animated") == command["animated"] as? Bool)
            #expect(answer.string(place + pointer + "/scrollableId") == command["scrollable"] as? String ?? attached)
        }
    }
}
