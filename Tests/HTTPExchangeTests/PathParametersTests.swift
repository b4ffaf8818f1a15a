import HTTPExchange
import HTTPTypes
import Primitives
import TestSupport
import Testing

@Suite
struct PathParametersTests {
    private let router: Router

    init() {
        router = Router(routes: [.get("/p/{id}", saying("")), .get("/p/{id}/x/{variant}", saying(""))])
    }

    private func id(_ segment: String) -> String? {
        router.match(.get, Target("/p/\(segment)")).parameters["id"]
    }

    @Test(
        "a captured segment is decoded",
        arguments: [
            ("a", "a"), ("%61", "a"), ("a%2Fb", "a/b"), ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%A4", "ä"), ("%25", "%"),
            ("%252e%252e", "%2e%2e"),
            ("%F0%9F%90%90", "🐐"), ("a.b", "a.b"), (".", "."), ("%2E%2e", ".."), ("...", "..."), ("a;b=c", "a;b=c"),
            ("%e2%82%AC", "€"),
        ]
    )
    func decoded(segment: String, expected: String) {
        #expect(id(segment) == expected)
    }

    @Test(
        "a segment that is not UTF-8, or has control characters, is a malformed path",
        arguments: [
            "%", "%2", "%zz", "a%", "%C3", "%FF", "%C0%AF", "%ED%A0%80", "%00", "a%00b", "%0A", "%1F", "%7F",
        ]
    )
    func malformed(segment: String) {
        let match = router.match(.get, Target("/p/\(segment)"))
        guard case .malformedPath("id") = match.outcome else {
            Issue.record("\(match.outcome)")
            return
        }
        #expect(match.template == "/p/{id}")
        #expect(match.parameters["id"] == nil)
    }

    @Test("several parameters keep their names, and an error names the malformed one")
    func several() {
        let parameters = router.match(.get, Target("/p/1/x/2")).parameters
        #expect(parameters["id"] == "1")
        #expect(parameters["variant"] == "2")
        #expect(parameters["other"] == nil)
        guard case .malformedPath("variant") = router.match(.get, Target("/p/1/x/%ff")).outcome else {
            Issue.record("the second segment is malformed")
            return
        }
    }

    private enum Variant: String, CaseIterable { case thumb, small }

    @Test("a parameter is text, or a value of an enumeration; the 404 of an unknown one names the known values")
    func typed() throws {
        let known = router.match(.get, Target("/p/12/x/thumb")).parameters
        #expect(try known.require("variant", as: Variant.self) == .thumb)
        #expect(known.require("id") == "12")
        let unknown = router.match(.get, Target("/p/12/x/huge")).parameters
        let problem = #expect(throws: Problem.self) { try unknown.require("variant", as: Variant.self) }
        #expect(problem?.status == .notFound)
        #expect(problem?.code == "not-found")
        #expect(problem?.detail == "`huge` is not a variant of this path; the variants are `thumb`, `small`.")
    }

    @Test("any text without control characters is decoded from a path as it was encoded")
    func roundTrip() {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("ab/%?#[]@!$&'()*+,;=:. ~-_äß€🐐\"\\<>")
        for _ in 0..<500 {
            let text = String(
                (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "a"
                }
            )
            guard text != ".", text != ".." else { continue }
            #expect(id(PercentEncoding.encode(text)) == text)
        }
    }
}
