import CSimdJSON

extension JSONError {
    /// The error of a document that simdjson refused.
    ///
    /// Of bad syntax simdjson does not say where it is, nor, of several faults, which is the first: a scan does.
    init(_ fault: Parser.Fault, in bytes: [UInt8]) {
        let detail =
            switch fault.code {
            case .memory: "too large"
            case .empty: "empty: there must be one JSON value"
            case .depth: "must not be nested over \(JSON.maximumDepth) deep"
            case .none, .syntax: FaultScan.firstFault(in: bytes)?.detail(in: bytes) ?? "is not JSON"
            }
        self.init(pointer: "", detail: detail, isMalformed: true)
    }
}
