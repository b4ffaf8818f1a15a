extension Response {
    /// Says in Vary that the answer depends on a field of the request (RFC 9110, section 12.5.5).
    package mutating func vary(by name: FieldName) {
        let present = fields.values(of: .vary).flatMap(FieldScanner.elements)
        if present.contains("*") || present.contains(where: { $0.lowercased() == name.canonicalText }) { return }
        fields[.vary] = (present + [name.text[...]]).joined(separator: ", ")
    }

    /// The same answer, depending on a field of the request.
    package func varying(by name: FieldName) -> Response {
        var response = self
        response.vary(by: name)
        return response
    }
}
