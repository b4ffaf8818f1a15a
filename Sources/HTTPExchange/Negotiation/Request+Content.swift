extension Request {
    /// Refuses content that is not JSON in UTF-8, or does not say what it is.
    ///
    /// - Throws: `Problem` 415.
    package func requireJSON() throws(Problem) {
        try requireContent(in: [.json])
    }

    /// Refuses content of none of these types.
    ///
    /// A charset, where there is one, has to be UTF-8; other parameters mean
    /// nothing to JSON (RFC 8259, section 11) and are let through.
    ///
    /// - Throws: `Problem` 415, also when the type is not said or said twice.
    package func requireContent(in types: [MediaType]) throws(Problem) {
        guard let value = fields.single(.contentType) else {
            let found = fields[.contentType] == nil ? "no Content-Type" : "more than one"
            throw .unsupported("there is \(found)", instead: types)
        }
        if types.contains(where: { $0.essence == value }) { return }
        guard let type = MediaType(value), types.contains(where: { $0.essence == type.essence }),
            type.parameter("charset").map({ $0.lowercased() == "utf-8" }) ?? true
        else {
            throw .unsupported("there is `\(value[...].excerpt)`", instead: types)
        }
    }
}

extension Problem {
    fileprivate static func unsupported(_ found: String, instead types: [MediaType]) -> Problem {
        let expected = types.map(\.description).joined(separator: " or ")
        return Problem(.unsupportedMediaType, "Content-Type has to be \(expected); \(found).")
    }
}
