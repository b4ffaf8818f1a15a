import BarLayout
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

@Suite("The vectors of a session")
struct SessionVectorTests {
    static let file: JSONDocument = {
        // `try!`: the file is part of the checkout.
        try! JSONReader.document(Array(VectorFile.session.data()))
    }()
    static let names = (file["cases"]?.array ?? []).compactMap { $0["name"]?.string }

    @Test("A session sends, reports and shows what the file says", arguments: names)
    func cases(name: String) throws {
        let vector = try #require(Self.file["cases"]?.array?.first { $0["name"]?.string == name })
        var definition = try BarDefinition.feed()
        definition.scrollable = try Scrollable(id: "main", geometry: definition.scrollable.geometry)
        let machine = SessionMachine(definition, queueLimit: vector["queueLimit"]?.integer ?? 10_000)
        for (index, step) in (vector["steps"]?.array ?? []).enumerated() {
            let input = try #require(step["input"]?.members.first)
            let (does, shown, pauses) = try machine.give(input)
            let expected = try #require(step["does"]?.array).map(\.withFullRequest)
            #expect(does.text == JSONDocument.array(expected).canonical.text, "step \(index)")
            #expect(shown.text == step["shown"]?.canonical.text, "step \(index)")
            let ranges = step["pauses"]?.array ?? []
            try #require(pauses.count == ranges.count, "step \(index)")
            for (seconds, range) in zip(pauses, ranges) {
                let ends = (range.array ?? []).compactMap(\.double)
                #expect(ends[0]...ends[1] ~= seconds, "step \(index)")
            }
        }
    }

    @Test("Which problems are transient is the same in both clients")
    func transientProblems() throws {
        let problems = try #require(Self.file["problems"])
        for (kind, isTransient) in [("transient", true), ("final", false)] {
            for one in try #require(problems[kind]?.array) {
                let problem = SpringbarClient.Problem(
                    status: one["status"]?.integer ?? 0,
                    code: one["code"]?.string ?? "",
                    detail: "",
                    retryAfter: one["retryAfter"]?.double
                )
                #expect(problem.isTransient == isTransient, "\(one.text)")
            }
        }
    }
}

extension JSONDocument {
    /// A request of the file with the defaults of its content.
    fileprivate var withFullRequest: JSONDocument {
        guard let request = self["request"], let body = request["body"] else { return self }
        let members = request.members.map { $0.name == "body" ? Member(name: "body", value: body.withDefaults) : $0 }
        return .object([Member(name: "request", value: .object(members))])
    }
}
