import HTTPExchange
import JSON
import Motion
import Primitives
import SpringConventions

/// A team's design tokens: springs, easings and durations, from a file in the format of the Design Tokens Community Group.
///
/// That format has no springs (https://www.designtokens.org/TR/2025.10/format/). Here a design token is a spring if its
/// `$extensions` have `springbar.spring`, which is then the spring, beside a `$value` for other tools. It is one also if
/// its `$type` is `spring`; then the `$value` is the spring. Design tokens of other types are left out.
package struct DesignTokens: Sendable {
    struct DesignToken: Sendable {
        /// The names of its groups and its own, with points between them.
        let path: String
        let description: String?
        let meaning: Meaning
        /// The value in the file, for errors.
        let value: JSONValue
    }

    enum Meaning: Sendable {
        case spring(Convention, Convention.Values, Spring)
        case cubicBezier([Double])
        /// A time in seconds.
        case duration(Double)
    }

    var all: [DesignToken] = []
    var omitted = 0
    var hash = ""

    /// The size limit of a file in bytes.
    package static let maxBytes = 256 << 10
}

extension DesignTokens {
    /// Reads a file, or throws a `JSONError` for its first fault.
    package init(_ bytes: [UInt8]) throws {
        guard bytes.count <= Self.maxBytes else {
            throw JSONError(pointer: "", detail: "must have at most \(Self.maxBytes) bytes", isMalformed: false)
        }
        var reader = DesignTokenReader()
        try reader.collect(JSON.parse(bytes).object())
        all = try reader.entries.indices.compactMap(reader.designToken)
        omitted = reader.entries.count - all.count
        hash = EntityTag(hashing: bytes).opaque
    }
}

/// Collects the design tokens of all groups, and reads the values at the ends of their aliases.
private struct DesignTokenReader {
    /// A design token, with the spring of its extensions as its value if there is one.
    typealias Entry = (path: String, description: String?, value: JSONValue, type: String?)

    private static let limits = (count: 1000, path: 200, aliases: 16)
    private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]

    mutating func collect(_ group: JSONObject, in groups: String = "", type: String? = nil) throws {
        let type = try group.optional("$type")?.string() ?? type
        let properties: Set = ["$type", "$description", "$extensions", "$deprecated", "$schema"]
        for (name, value) in group where !properties.contains(name) {
            // By bytes: a character may be more than one of these.
            guard
                name == "$root"
                    || name.utf8.first != UInt8(ascii: "$") && !name.utf8.contains(where: ".{}".utf8.contains)
            else {
                throw value.error("is not supported; a name does not begin with `$` and has no `.`, `{` or `}`")
            }
            let (path, token) = (groups.isEmpty ? name : "\(groups).\(name)", try value.object())
            let limits = Self.limits
            guard path.utf8.count <= limits.path, entries.count < limits.count else {
                throw value.error("exceeds \(limits.count) design tokens, or \(limits.path) bytes of their names")
            }
            guard let content = token.optional("$value") else {
                try collect(token, in: path, type: type)
                continue
            }
            try token.only("$value", "$type", "$description", "$extensions", "$deprecated")
            let spring = try token.optional("$extensions")?.object().optional("springbar.spring")
            let ownType = spring == nil ? try token.optional("$type")?.string() ?? type : "spring"
            guard indices.updateValue(entries.count, forKey: path) == nil else {
                throw value.error("has the name of another design token, in another normalisation; rename one of them")
            }
            entries.append((path, try token.optional("$description")?.string(), spring ?? content, ownType))
        }
    }

    func designToken(_ index: Int) throws -> DesignTokens.DesignToken? {
        guard let meaning = try meaning(of: entries[end(of: index)]) else { return nil }
        let (path, description, value, _) = entries[index]
        return .init(path: path, description: description, meaning: meaning, value: value)
    }

    /// Returns the entry at the end of the aliases of another one.
    private func end(of index: Int) throws -> Int {
        var chain = [index]
        while let next = try target(of: entries[chain[chain.count - 1]]) {
            guard !chain.contains(next), chain.count <= Self.limits.aliases else {
                let names = (chain + [next]).map { entries[$0].path }.joined(separator: " → ")
                throw entries[index].value.error("leads to a cycle or too many aliases: \(names)")
            }
            chain.append(next)
        }
        return chain[chain.count - 1]
    }

    /// Returns the entry that another one is an alias of; nil for none, such as a text of another type in braces.
    private func target(of entry: Entry) throws -> Int? {
        let isOmitted = !["spring", "duration", "cubicBezier", nil].contains(entry.type)
        return isOmitted ? try? target(of: entry.value) : try target(of: entry.value)
    }

    /// Returns the entry that a value refers to, such as `{motion.sheet}`; nil for another value.
    private func target(of value: JSONValue) throws -> Int? {
        guard value.kind == .string, case let text = try value.string().utf8, text.first == UInt8(ascii: "{") else {
            return nil
        }
        let path = String(Substring(text.dropFirst().dropLast()))
        if let target = indices[path], text.last == UInt8(ascii: "}") { return target }
        throw value.error("must be the path of a design token between braces")
    }

    /// Returns the meaning of an entry that is no alias; nil for another type.
    private func meaning(of entry: Entry) throws -> DesignTokens.Meaning? {
        switch entry.type {
        case "spring": return try spring(entry.value)
        case "duration": return .duration(try seconds(entry.value))
        case "cubicBezier":
            let numbers = try entry.value.array(atMost: 5).map { try $0.double() }
            guard numbers.count == 4, 0...1 ~= numbers[0], 0...1 ~= numbers[2] else {
                throw entry.value.error("must be four numbers x1, y1, x2 and y2; x1 and x2 from 0 to 1")
            }
            return .cubicBezier(numbers)
        case nil: throw entry.value.error("has no `$type`, and none of its groups has one")
        default: return nil
        }
    }

    private func spring(_ value: JSONValue) throws -> DesignTokens.Meaning {
        let object = try value.object()
        let members = object.filter { $0.name != "convention" }
        do {
            let id = try object.optional("convention")?.string()
            let convention = try id.map(Conventions.named) ?? Conventions.inferred(from: members.map(\.name))
            let numbers = try members.map { name, value in
                (name, try number(value, for: convention.parameters.first { $0.names.contains(name) }))
            }
            // Two unknown names may be equal texts of different bytes; each is refused.
            let spring = try convention.read(Dictionary(numbers) { first, _ in first }).spring
            let values = convention.parameters.compactMap { parameter in
                numbers.first { parameter.names.contains($0.0) }.map { (name: parameter.name, value: $0.1) }
            }
            return .spring(convention, values, spring)
        } catch let error as MotionError {
            throw value.error(error)
        }
    }

    /// Returns the number of a parameter: a number, a flag, a duration in the parameter's unit, or an alias of one.
    private func number(_ value: JSONValue, for parameter: ConventionParameter?) throws -> Double {
        if parameter?.isFlag == true { return try value.bool() ? 1 : 0 }
        let value = try target(of: value).map { entries[try end(of: $0)].value } ?? value
        guard value.kind != .number, let unit = parameter?.unit else { return try value.double() }
        return try seconds(value) * (unit == "milliseconds" ? 1000 : 1)
    }

    /// Returns the seconds of a duration: an object with `value` and `unit`, or a text such as `200ms`, as in older drafts.
    private func seconds(_ duration: JSONValue) throws -> Double {
        var (number, unit): (Double?, String) = (nil, "")
        if duration.kind == .string {
            let text = try duration.string()
            unit = text.hasSuffix("ms") ? "ms" : "s"
            number = text.hasSuffix(unit) ? NumberGrammar.double(String(text.dropLast(unit.count))) : nil
        } else {
            let object = try duration.object()
            try object.only("value", "unit")
            (number, unit) = (try object.double("value"), try object.required("unit").string())
        }
        guard let number, let scale = ["ms": 1000.0, "s": 1][unit], 0...1e6 ~= number / scale else {
            throw duration.error("must be a time of at most 1e6 s: `value`, and the `unit` ms or s")
        }
        return number / scale
    }
}

extension JSONValue {
    /// An error at this value for the rule that an error of a spring has.
    func error(_ error: MotionError) -> JSONError { self.error(String(Problem(error).detail.dropLast())) }
}
