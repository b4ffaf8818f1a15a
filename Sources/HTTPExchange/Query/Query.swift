import JSON
import Primitives

/// The parameters of a query, decoded (`application/x-www-form-urlencoded`: `+` and `%20` are a space).
///
/// Unknown and repeated parameters are refused, so that a typing error is not ignored. Every error names its parameter
/// and the rule: 400 for text that cannot be parsed, 422 for a value that is not allowed.
package struct Query: Sendable {
    private var entries: [(name: String, value: String)]
    private let allowed: [String]

    /// Parses the query of a target.
    ///
    /// - Throws: `Problem` 400 for an unknown or repeated name, broken percent-encoding, bytes that are not UTF-8 and
    ///   control characters; all faults at once.
    package init(_ target: Target, allowing allowed: [String]) throws(Problem) {
        var entries: [(name: String, value: String)] = []
        var faults: [(name: String, fault: String)] = []
        var moreFaults = 0
        func add(_ name: Substring, _ fault: @autoclosure () -> String) {
            if faults.count < Problem.mostFaults {
                faults.append((String(name.excerpt), fault()))
            } else {
                moreFaults += 1
            }
        }
        for pair in target.queryPairs {
            guard let name = pair.name, let value = pair.value else {
                add(pair.encodedName, "is not percent-encoded UTF-8 text without control characters")
                continue
            }
            if !allowed.contains(name) {
                add(name[...], Query.unknown(name, allowed))
            } else if entries.contains(where: { $0.name == name }) {
                add(name[...], "is repeated")
            } else {
                entries.append((name, value))
            }
        }
        if !faults.isEmpty {
            var problem = Problem(.invalidQuery, parameters: faults)
            problem.moreFaults = moreFaults
            throw problem
        }
        self.entries = entries
        self.allowed = allowed
    }

    /// The names of the parameters, in the order given.
    package var names: [String] { entries.map(\.name) }

    /// Returns whether a parameter is present.
    package func contains(_ name: String) -> Bool {
        value(of: name) != nil
    }

    /// Returns the decoded value; nil without the parameter.
    ///
    /// - Precondition: the name is one of the allowed ones.
    func value(of name: String) -> String? {
        precondition(allowed.contains(name), "\(name) must be one of the allowed parameters")
        return entries.first { $0.name == name }?.value
    }

    /// Returns the query with other parameters in place of one.
    ///
    /// - Precondition: their names are allowed ones.
    /// - Throws: `Problem` 400 if it has one of the others already.
    package func replacing(_ name: String, with others: [(name: String, value: String)]) throws(Problem) -> Query {
        if let twin = others.first(where: { contains($0.name) }) {
            throw .invalidQuery(twin.name, "is not allowed with `\(name)`, which has it")
        }
        var query = self
        query.entries = entries.filter { $0.name != name } + others
        return query
    }

    private static func unknown(_ name: String, _ allowed: [String]) -> String {
        if allowed.isEmpty { return "is unknown; this path has no parameters" }
        if let twin = allowed.first(where: { $0.lowercased() == name.lowercased() }) {
            return "is unknown; use `\(twin)`"
        }
        // Lists each parameter once, even if several forms share it.
        var names: [String] = []
        for name in allowed where !names.contains(name) { names.append(name) }
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return "is unknown; the \(names.count == 1 ? "parameter is" : "parameters are") \(list)"
    }
}

/// The typed values: each is nil without its parameter, and a `required` one is 400.
extension Query {
    /// Returns text of at least one character; 400 if it is empty.
    package func string(_ name: String) throws(Problem) -> String? {
        guard let text = value(of: name) else { return nil }
        guard !text.isEmpty else { throw .invalidQuery(name, "is empty; omit it or give it a value") }
        return text
    }

    /// Returns the value of `true` or `false`; 422 for anything else.
    package func bool(_ name: String) throws(Problem) -> Bool? {
        guard let text = try string(name) else { return nil }
        guard let value = Bool(text) else { throw .invalidParameter(name, "must be `true` or `false`") }
        return value
    }

    /// Returns one of the values of an enumeration; 422 with the allowed ones for another.
    package func choice<T: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        of type: T.Type
    ) throws(Problem) -> T? {
        guard let text = try string(name) else { return nil }
        guard let value = T(rawValue: text) else {
            let choices = T.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw .invalidParameter(name, "must be one of \(choices)")
        }
        return value
    }

    /// Returns texts separated by commas, such as `a,b`; 400 if one is empty, 422 for more than `limit`.
    package func list(_ name: String, atMost limit: Int) throws(Problem) -> [String]? {
        guard let text = try string(name) else { return nil }
        let comma = UInt8(ascii: ",")
        let parts = text.utf8.split(separator: comma, maxSplits: limit, omittingEmptySubsequences: false)
        guard parts.count <= limit else { throw .invalidParameter(name, "has more than \(limit) values") }
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw .invalidQuery(name, "has an empty value between its commas")
        }
        return parts.map { String(Substring($0)) }
    }

    /// Returns a number as JSON writes it (RFC 8259, section 6): `-0.5`, `12`, `1e-3`.
    ///
    /// - Throws: `Problem` 400 for text that is not such a number, or a number too large for a double (`1e999`); 422
    ///   for a number outside of `range`.
    package func double(_ name: String, in range: ClosedRange<Double> = .finite) throws(Problem) -> Double? {
        guard let text = value(of: name) else { return nil }
        return try Query.double(text, name, range)
    }

    /// Returns numbers with commas between them, such as `0,0.016,0.032`; 422 for more than `limit`.
    package func doubles(
        _ name: String,
        in range: ClosedRange<Double> = .finite,
        atMost limit: Int
    ) throws(Problem) -> [Double]? {
        try list(name, atMost: limit)?.map { text throws(Problem) in try Query.double(text, name, range) }
    }

    /// Returns an integer as JSON writes it, without fraction and exponent; 400 for other text, 422 outside of `range`.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = value(of: name) else { return nil }
        guard NumberGrammar.isWhole(text), NumberGrammar.isNumber(text) else {
            throw .invalidQuery(name, "must be a whole number without leading zeros, such as 10")
        }
        // Text of digits can only fail because it has too many of them.
        guard let number = NumberGrammar.integer(text), range.contains(number) else {
            throw .invalidParameter(name, "must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns `string` of a parameter that must be present.
    package func requiredString(_ name: String) throws(Problem) -> String {
        guard let text = try string(name) else { throw .missing(name) }
        return text
    }

    /// Returns `double` of a parameter that must be present.
    package func requiredDouble(_ name: String, in range: ClosedRange<Double> = .finite) throws(Problem) -> Double {
        guard let number = try double(name, in: range) else { throw .missing(name) }
        return number
    }

    /// Returns `integer` of a parameter that must be present.
    package func requiredInteger(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let number = try integer(name, in: range) else { throw .missing(name) }
        return number
    }

    private static func double(_ text: String, _ name: String, _ range: ClosedRange<Double>) throws(Problem) -> Double {
        guard let number = NumberGrammar.double(text) else {
            throw .invalidQuery(name, "must be a number\(hint(text))")
        }
        guard range.contains(number) else {
            throw .invalidParameter(name, "must be from \(range.lowerBound.brief) to \(range.upperBound.brief)")
        }
        return number
    }

    /// The probable mistake in a text that is not a number.
    private static func hint(_ text: String) -> String {
        if text.isEmpty { return ", and is empty" }
        if text.contains(",") { return " with a decimal point, not a comma" }
        if text.contains(" ") { return "; a `+` in a query means a space, write `%2B` or omit it" }
        if NumberGrammar.isNumber(text) { return " of a size that a double can hold" }
        return ", such as 0.5"
    }
}

extension ClosedRange<Double> {
    /// All numbers.
    package static var finite: Self { -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude }
}

extension Problem {
    /// 400 for a parameter that is malformed, is missing or contradicts another.
    package static func invalidQuery(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidQuery, parameters: [(name, detail)])
    }

    fileprivate static func missing(_ name: String) -> Problem { .invalidQuery(name, "is missing") }

    /// 422 for a parameter with a value that is not allowed.
    package static func invalidParameter(_ name: String, _ detail: String) -> Problem {
        Problem(.invalidParameter, parameters: [(name, detail)])
    }

    fileprivate init(_ kind: Kind, parameters: [(name: String, fault: String)]) {
        let detail = parameters.map { "`\($0.name)` \($0.fault)" }.joined(separator: "; ") + "."
        self.init(kind, detail, errors: parameters.map { Fault(.parameter($0.name), $0.fault) })
    }
}

/// A parameter of a query as it arrived: an encoded name, and an encoded value behind the first `=`.
///
/// `Query` checks the names; other formats of queries read their pairs.
package struct QueryPair: Sendable {
    package let text: Substring
    package let encodedName: Substring
    /// Empty without a `=`.
    package let encodedValue: Substring

    fileprivate init(_ text: Substring) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
        self.text = text
        encodedName = text[..<end]
        // The byte and not the character, which may have combining marks.
        encodedValue = Substring(text.utf8[end...].dropFirst())
    }

    /// The decoded name; nil if it is not percent-encoded UTF-8 text.
    package var name: String? { PercentEncoding.decode(encodedName, plusIsSpace: true) }

    /// The decoded value; nil if it is not percent-encoded UTF-8 text.
    package var value: String? { PercentEncoding.decode(encodedValue, plusIsSpace: true) }
}

extension Target {
    /// The parameters of the query, in their order.
    package var queryPairs: [QueryPair] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { QueryPair(Substring($0)) }
    }
}
