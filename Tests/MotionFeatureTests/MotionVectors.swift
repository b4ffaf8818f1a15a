import Foundation
import HTTPExchange
import ServiceHarness
import TestSupport
import Testing

/// A golden case of `Tests/Vectors/motion.json`, as JSON.
struct MotionVector: @unchecked Sendable, CustomTestStringConvertible {
    // Objects of JSONSerialization, which are never modified after parsing.
    let input: [String: Any]
    let expect: [String: Any]
    let name: String
    let tolerance: Double

    var testDescription: String { name }

    static func suite(_ name: String) -> [MotionVector] {
        let suites = try! JSONSerialization.jsonObject(with: VectorFile.motion.data()) as! [[String: Any]]
        let suite = suites.first { $0["suite"] as? String == name }!
        return (suite["cases"] as! [[String: Any]]).map { vector in
            MotionVector(
                input: vector["input"] as! [String: Any],
                expect: vector["expect"] as! [String: Any],
                name: vector["name"] as! String,
                tolerance: vector["tolerance"] as! Double
            )
        }
    }

    /// The input as a query.
    var query: String {
        input.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.text($0.value))" }.joined(separator: "&")
    }

    /// The input as JSON content.
    var content: String {
        String(decoding: try! JSONSerialization.data(withJSONObject: input), as: UTF8.self)
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case let list as [Any]: list.map(text).joined(separator: ",")
        case let text as String: text
        case let number as NSNumber where JSONBoolean.isBoolean(number): number.boolValue ? "true" : "false"
        default: "\(value)"
        }
    }

    /// Returns whether a member of an answer matches its expected value.
    ///
    /// Numbers must be within tolerance · max(1, |expected|), lists are compared by element, all other values must be
    /// equal.
    func accepts(_ value: Any?, _ expected: Any) -> Bool {
        switch expected {
        case is NSNull:
            return value is NSNull
        case let list as [Any]:
            guard let values = value as? [Any], values.count == list.count else { return false }
            return zip(values, list).allSatisfy { accepts($0, $1) }
        case let members as [String: Any]:
            guard let values = value as? [String: Any] else { return false }
            return members.allSatisfy { accepts(values[$0.key], $0.value) }
        case let text as String:
            return value as? String == text
        case let number as NSNumber:
            guard let value = value as? NSNumber else { return false }
            if JSONBoolean.isBoolean(number) {
                return JSONBoolean.isBoolean(value) && value.boolValue == number.boolValue
            }
            return abs(value.doubleValue - number.doubleValue) <= tolerance * max(1, abs(number.doubleValue))
        default:
            return false
        }
    }
}

/// Distinguishes JSON's `true` from its `1`: Foundation has one class for both, and marks a boolean as a char.
enum JSONBoolean {
    static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}

extension Response {
    /// Returns the value at a path of members, such as `settling/settlingTime`.
    func member(_ path: String) -> Any? {
        var value: Any? = json
        for name in path.split(separator: "/") { value = (value as? [String: Any])?[String(name)] }
        return value
    }
}
