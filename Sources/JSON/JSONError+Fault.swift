import CSimdJSON

extension JSONError {
    /// The error of a document that simdjson refused.
    ///
    /// It says what, not where.
    init(_ fault: Parser.Fault) {
        let detail =
            switch fault.code {
            case .memory: "too large"
            case .empty: "empty: there must be one JSON value"
            case .encoding: "must be UTF-8"
            case .depth: "must not be nested over \(JSON.maximumDepth) deep"
            case .string: "has a string with a wrong escape, or with one half of a surrogate pair"
            case .control: "has a string with a control character, which must be escaped"
            case .unclosedString: "has a string that does not end"
            case .literal: "has a literal that is not true, false or null"
            case .number: "has a number that is none, beyond a double, or an integer of over 64 bits"
            case .none, .syntax: "is not JSON"
            }
        self.init(pointer: "", detail: detail, isMalformed: true)
    }
}
