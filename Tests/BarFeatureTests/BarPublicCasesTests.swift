import Foundation
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

/// The cases of bars in `Tests/Vectors/public-cases.json`: requests of public threads, and values of their answers.
@Suite("Bars of public threads")
struct BarPublicCasesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let path: String
        let body: String
        /// Numbers by JSON Pointer.
        let values: [String: Double]
        var testDescription: String { id }
    }

    static func cases() throws -> [Case] {
        let document = try JSONSerialization.jsonObject(with: VectorFile.publicCases.data())
        return try #require(document as? [[String: Any]]).compactMap { one in
            guard let body = one["body"] as? [String: Any] else { return nil }
            let expected = try #require(one["expect"] as? [String: Any])
            let pointers = try #require(expected["pointers"] as? [String: [String: Double]])
            return Case(
                id: try #require(one["id"] as? String),
                path: try #require(one["path"] as? String),
                body: String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self),
                values: pointers.compactMapValues { $0["value"] }
            )
        }
    }

    @Test("the answers have the values", arguments: try cases())
    func values(_ one: Case) throws {
        let answer = try Service().post(one.path, one.body)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(!one.values.isEmpty)
        for (pointer, value) in one.values { #expect(answer.number(pointer) == value, "\(pointer)") }
    }
}
