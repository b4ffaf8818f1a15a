/// A value of a JSON document.
///
/// Foundation's own coders are not used for bars: numbers have to be read and written to the last bit by every version
/// of Foundation, and the service compares repeated requests. The service's own reader needs newer systems than apps.
enum JSONDocument: Sendable, Equatable, JSONConvertible {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONDocument])
    case object([Member])

    struct Member: Sendable, Equatable {
        let name: String
        let value: JSONDocument
    }

    /// An object with the members that are not nil, in order.
    static func object(_ members: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONDocument {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0.json) } })
    }

    var json: JSONDocument { self }

    /// The member of this name; nil if there is none, if it is null, or if this is not an object.
    subscript(name: String) -> JSONDocument? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var double: Double? { if case .number(let number) = self { number } else { nil } }
    /// A whole number from 0 to 2^53, up to which JSON's numbers are exact.
    var integer: Int? { double.flatMap(Int.init(exactly:)).flatMap { 0...(1 << 53) ~= $0 ? $0 : nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    var array: [JSONDocument]? { if case .array(let values) = self { values } else { nil } }

    var text: String {
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

protocol JSONConvertible {
    var json: JSONDocument { get }
}

extension Bool: JSONConvertible {
    var json: JSONDocument { .bool(self) }
}

extension Int: JSONConvertible {
    var json: JSONDocument { .number(Double(self)) }
}

extension Double: JSONConvertible {
    var json: JSONDocument { .number(self) }
}

extension String: JSONConvertible {
    var json: JSONDocument { .string(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    var json: JSONDocument { .array(map(\.json)) }
}

/// The error for a response in a form that this version of the client does not know.
struct UnknownForm: Error {}

func required<Value>(_ value: Value?) throws(UnknownForm) -> Value {
    guard let value else { throw UnknownForm() }
    return value
}

extension JSONDocument? {
    /// The number of a member that must be there.
    func number(_ name: String) throws(UnknownForm) -> Double { try required(self?[name]?.double) }
}
