import Primitives

/// The parameters of a query, decoded (`application/x-www-form-urlencoded`: `+` and `%20` are a space).
///
/// What is not known and what stands there twice is refused at once, so that a typing error is an error and not a
/// silence. The typed getters are in `Query+Numbers.swift` and `Query+Texts.swift`. Every error names its parameter
/// and says what would be right: 400 for what cannot be read, 422 for a value that is not allowed.
package struct Query: Sendable {
    private let entries: [(name: String, value: String)]
    private let allowed: [String]

    /// Reads the query of a target.
    ///
    /// - Throws: `Problem` 400 for an unknown or repeated name, broken percent-encoding, bytes that are not UTF-8 and
    ///   control characters; all faults at once.
    package init(_ target: Target, allowing allowed: [String]) throws(Problem) {
        var entries: [(name: String, value: String)] = []
        var faults: [Problem.Fault] = []
        for pair in (target.query ?? "").utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            // The answer to a query of thousands of faults has ten.
            if faults.count == 10 { break }
            let mark = pair.utf8.firstIndex(of: UInt8(ascii: "="))
            let rawName = pair[..<(mark ?? pair.endIndex)]
            let rawValue = mark.map { pair[pair.utf8.index(after: $0)...] } ?? ""
            guard let name = PercentEncoding.decode(rawName, plusIsSpace: true),
                let value = PercentEncoding.decode(rawValue, plusIsSpace: true)
            else {
                faults.append(.init(.parameter(String(rawName.excerpt)), "is not percent-encoded UTF-8 text"))
                continue
            }
            if !allowed.contains(name) {
                faults.append(.init(.parameter(String(name[...].excerpt)), Query.unknown(name, allowed)))
            } else if entries.contains(where: { $0.name == name }) {
                faults.append(.init(.parameter(name), "stands there more than once"))
            } else {
                entries.append((name, value))
            }
        }
        guard faults.isEmpty else { throw .invalidQuery(faults) }
        self.entries = entries
        self.allowed = allowed
    }

    /// The names that are there, in the order given.
    package var names: [String] { entries.map(\.name) }

    /// Whether the parameter is there, whatever its value.
    package func contains(_ name: String) -> Bool {
        value(of: name) != nil
    }

    /// The decoded value as it stands; nil without the parameter.
    ///
    /// - Precondition: the name is one of the allowed ones.
    func value(of name: String) -> String? {
        precondition(allowed.contains(name), "\(name) is asked for but not allowed")
        return entries.first { $0.name == name }?.value
    }

    private static func unknown(_ name: String, _ allowed: [String]) -> String {
        if allowed.isEmpty { return "is unknown: nothing is asked of this path" }
        let twin = allowed.first { $0.lowercased() == name.lowercased() }
        if let twin { return "is unknown; there is `\(twin)`" }
        // Forms of one question share parameters: each is told once.
        var names: [String] = []
        for name in allowed where !names.contains(name) { names.append(name) }
        return "is unknown; there are \(names.map { "`\($0)`" }.joined(separator: ", "))"
    }
}

extension Problem {
    /// 400 for a query that cannot be read as a whole.
    package static func invalidQuery(_ faults: [Fault]) -> Problem {
        Problem(.invalidQuery, sentence(faults), errors: faults)
    }

    /// 400 for one parameter that is malformed, missing or contradicts another.
    package static func invalidQuery(_ name: String, _ detail: String) -> Problem {
        invalidQuery([Fault(.parameter(name), detail)])
    }

    /// 422 for one parameter whose value is not allowed.
    package static func invalidParameter(_ name: String, _ detail: String) -> Problem {
        let faults = [Fault(.parameter(name), detail)]
        return Problem(.invalidParameter, sentence(faults), errors: faults)
    }

    private static func sentence(_ faults: [Fault]) -> String {
        faults.map { fault in
            if case .parameter(let name) = fault.place { "`\(name)` \(fault.detail)" } else { fault.detail }
        }.joined(separator: "; ") + "."
    }
}
