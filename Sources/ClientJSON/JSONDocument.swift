/// A value of a JSON document.
///
/// Foundation's own coders are not used for bars: numbers have to be read and written to the last bit by every version
/// of Foundation, and the service compares repeated requests. The service's own reader needs newer systems than apps.
package enum JSONDocument: Sendable, Equatable, JSONConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONDocument])
    case object([Member])

    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSONDocument

        package init(name: String, value: JSONDocument) {
            self.name = name
            self.value = value
        }
    }

    /// An object with the members that are not nil, in order.
    package static func object(_ members: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONDocument {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0.json) } })
    }

    package var json: JSONDocument { self }

    /// The member of this name; nil if there is none, if it is null, or if this is not an object.
    package subscript(name: String) -> JSONDocument? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
    package var double: Double? { if case .number(let number) = self { number } else { nil } }
    /// A whole number from 0 to 2^53, up to which JSON's numbers are exact.
    package var integer: Int? { double.flatMap(Int.init(exactly:)).flatMap { 0...(1 << 53) ~= $0 ? $0 : nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    package var array: [JSONDocument]? { if case .array(let values) = self { values } else { nil } }

    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .number(let number):
            // The shortest text that reads back to the same number; zero has no sign.
            if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 { "\(integer)" } else { "\(number)" }
        case .string(let string): JSONDocument.quoted(string)
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONDocument.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

package protocol JSONConvertible {
    var json: JSONDocument { get }
}

extension Bool: JSONConvertible {
    package var json: JSONDocument { .bool(self) }
}

extension Int: JSONConvertible {
    package var json: JSONDocument { .number(Double(self)) }
}

extension Double: JSONConvertible {
    package var json: JSONDocument { .number(self) }
}

extension String: JSONConvertible {
    package var json: JSONDocument { .string(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    package var json: JSONDocument { .array(map(\.json)) }
}

/// The error for a response in a form that this version of the client does not know.
package struct UnknownForm: Error {
    package init() {}
}

package func required<Value>(_ value: Value?) throws(UnknownForm) -> Value {
    guard let value else { throw UnknownForm() }
    return value
}

extension JSONDocument? {
    /// The number of a member that must be there.
    package func number(_ name: String) throws(UnknownForm) -> Double { try required(self?[name]?.double) }
}
