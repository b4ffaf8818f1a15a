import CSimdJSON

extension JSONError {
    /// The error of a document that simdjson refused, and how far the document was right.
    init(_ fault: Parser.Fault, in bytes: [UInt8]) {
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
        self.init(pointer: "", detail: detail + Self.place(of: fault, in: bytes), isMalformed: true)
    }

    private static func place(of fault: Parser.Fault, in bytes: [UInt8]) -> String {
        switch fault.code {
        case .memory, .empty, .depth: return ""
        default: break
        }
        guard let length = FaultScan.firstFault(in: bytes) else { return "" }
        return length == bytes.count ? " (it ends too early)" : " (after \(length) byte\(length == 1 ? "" : "s"))"
    }
}
