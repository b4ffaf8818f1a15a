extension Query {
    /// Text of at least one character.
    ///
    /// - Returns: nil without the parameter.
    /// - Throws: `Problem` 400 when it is empty.
    package func string(_ name: String) throws(Problem) -> String? {
        guard let text = value(of: name) else { return nil }
        guard !text.isEmpty else { throw .invalidQuery(name, "is empty; leave it away or give it a value") }
        return text
    }

    /// Text that has to be there; see `string`.
    ///
    /// - Throws: `Problem` 400 without it.
    package func requiredString(_ name: String) throws(Problem) -> String {
        guard let text = try string(name) else { throw .missing(name) }
        return text
    }

    /// `true` or `false`.
    ///
    /// - Returns: nil without the parameter.
    /// - Throws: `Problem` 422 for anything else.
    package func bool(_ name: String) throws(Problem) -> Bool? {
        guard let text = try string(name) else { return nil }
        guard let value = Bool(text) else { throw .invalidParameter(name, "has to be `true` or `false`") }
        return value
    }

    /// One of the values of an enumeration.
    ///
    /// - Returns: nil without the parameter.
    /// - Throws: `Problem` 422 for none of them, listing them.
    package func choice<T: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        of type: T.Type
    ) throws(Problem) -> T? {
        guard let text = try string(name) else { return nil }
        guard let value = T(rawValue: text) else {
            let choices = T.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw .invalidParameter(name, "has to be one of \(choices)")
        }
        return value
    }

    /// Texts with commas between them, such as `a,b`.
    ///
    /// - Returns: nil without the parameter.
    /// - Throws: `Problem` 400 when one is empty, 422 for more than `limit`.
    package func list(_ name: String, atMost limit: Int) throws(Problem) -> [String]? {
        guard let text = try string(name) else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: ","),
            maxSplits: limit,
            omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard parts.count <= limit else { throw .invalidParameter(name, "has more than \(limit) values") }
        guard !parts.contains("") else { throw .invalidQuery(name, "has an empty value between its commas") }
        return parts
    }
}
