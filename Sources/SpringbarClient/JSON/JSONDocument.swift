/// A value of a JSON document.
///
/// Foundation's own coders are not used for bars: numbers have to be read and written to the last bit by every version
/// of Foundation, and the service compares repeated requests. The service's own reader needs newer systems than apps.
enum JSONDocument: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONDocument])
    case object([Member])

    /// A member of an object.
    struct Member: Sendable, Equatable {
        let name: String
        let value: JSONDocument
    }

    /// An object with the members that are not nil, in order.
    static func object(_ members: KeyValuePairs<String, JSONDocument?>) -> JSONDocument {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }
}

extension JSONDocument {
    /// The member of this name; nil if there is none, if it is null, or if this is not an object.
    subscript(name: String) -> JSONDocument? {
        guard case .object(let members) = self, let value = members.first(where: { $0.name == name })?.value,
            value != .null
        else { return nil }
        return value
    }

    /// The members of an object; none for any other value.
    var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var integer: Int? { double.flatMap(Int.init(exactly:)) }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var bool: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    var array: [JSONDocument]? {
        guard case .array(let values) = self else { return nil }
        return values
    }
}

extension JSONDocument {
    /// The document as text.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let flag): text += flag ? "true" : "false"
        case .number(let number): text += JSONDocument.text(of: number)
        case .string(let string): JSONDocument.write(string, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSONDocument.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Returns the shortest text that reads back to the same number; zero has no sign.
    private static func text(of number: Double) -> String {
        if let integer = Int64(exactly: number), integer.magnitude < 1 << 53 { return "\(integer)" }
        return "\(number)"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
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
        text += "\""
    }
}
