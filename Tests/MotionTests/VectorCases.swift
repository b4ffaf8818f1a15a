import Foundation
import TestSupport
import Testing

/// A golden case of `Tests/Vectors/motion.json`.
struct VectorCase: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let input: [String: Scalar]
    let expect: [String: Scalar]
    let tolerance: Double

    var testDescription: String { name }

    /// A value of the file, limited to the types in the suites of this target.
    enum Scalar: Decodable, Sendable, Equatable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([Scalar])
        case members([String: Scalar])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([Scalar].self) {
                self = .list(list)
            } else {
                self = .members(try container.decode([String: Scalar].self))
            }
        }
    }

    /// Returns the cases of one suite; fails the run if there are none, which reveals a renamed suite.
    static func suite(_ name: String) -> [VectorCase] {
        struct Suite: Decodable {
            let suite: String
            let cases: [VectorCase]
        }
        do {
            let suites = try JSONDecoder().decode([Suite].self, from: VectorFile.motion.data())
            guard let found = suites.first(where: { $0.suite == name }) else { fatalError("no suite \(name)") }
            return found.cases
        } catch {
            fatalError("motion.json: \(error)")
        }
    }

    /// Returns a number of the input; traps if the case has no such number.
    func number(_ name: String) -> Double { input[name]!.number! }

    /// Returns the numbers of an array of the input.
    func numbers(_ name: String) -> [Double] { input[name]!.numbers! }

    /// Returns whether `value` matches the expected member `name`: within tolerance · max(1, |expected|), null as nil.
    func accepts(_ value: Double?, _ name: String) -> Bool {
        guard let expected = expect[name] else { return true }
        guard let number = expected.number else { return expected == .null && value == nil }
        guard let value else { return false }
        return abs(value - number) <= tolerance * max(1, abs(number))
    }
}

extension VectorCase.Scalar {
    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    var numbers: [Double]? {
        guard case .list(let list) = self else { return nil }
        return list.compactMap(\.number)
    }

    var flag: Bool? {
        if case .flag(let flag) = self { flag } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
