import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

/// The cases of `Tests/Vectors/public-cases.json`: requests of public threads and of the test suites of the platforms, and
/// values of their answers.
@Suite("Cases of public threads")
struct PublicCaseTests {
    struct Case: @unchecked Sendable, CustomTestStringConvertible {
        // An object of JSONSerialization, which is never modified after parsing.
        let json: [String: Any]
        var testDescription: String { json["id"] as? String ?? "" }
    }

    static func cases() throws -> [Case] {
        let list = try JSONSerialization.jsonObject(with: VectorFile.publicCases.data()) as? [[String: Any]]
        return try #require(list).map { Case(json: $0) }
    }

    @Test("the answers have the values", arguments: try cases())
    func values(_ one: Case) throws {
        let service = try Service()
        let path = try #require(one.json["path"] as? String)
        let body = try one.json["body"].map { try JSONSerialization.data(withJSONObject: $0) }
        let answer = body.map { service.post(path, String(decoding: $0, as: UTF8.self)) } ?? service.get(path)
        #expect(answer.status == 200, "\(answer.text)")
        let expected = try #require(one.json["expect"] as? [String: Any])
        let pointers = try #require(expected["pointers"] as? [String: [String: Any]])
        for (pointer, rule) in pointers {
            let list = try? answer.value(pointer)?.array().map { try $0.double() }
            let found = list ?? answer.number(pointer).map { [$0] } ?? []
            let numbers = try rule["value"] as? [Double] ?? [#require(rule["value"] as? Double)]
            let tolerance = rule["tolerance"] as? Double ?? 0
            #expect(found.count == numbers.count, "\(pointer)")
            for (one, other) in zip(found, numbers) { #expect(abs(one - other) <= tolerance, "\(pointer)") }
        }
        #expect(!pointers.isEmpty)
    }
}
