package import JSON

extension Problem {
    /// Words what the JSON reader found: 400 for what is no JSON of ours, 422 for what is not allowed.
    package init(json error: JSONError) {
        self.init(
            error.isMalformed ? .malformedJSON : .invalidContent,
            error.pointer.isEmpty ? error.detail : "\(error.pointer): \(error.detail)",
            errors: [Fault(.pointer(error.pointer), error.detail)]
        )
    }
}
