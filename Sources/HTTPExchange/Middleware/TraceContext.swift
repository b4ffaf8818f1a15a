import Primitives

/// The trace of a request (W3C Trace Context, https://www.w3.org/TR/trace-context/).
package struct TraceContext: Sendable, Equatable {
    /// The two halves of the trace's id, never both 0.
    package let traceID: (high: UInt64, low: UInt64)
    /// The id of the service's span, or of the caller's when it is received; never 0.
    package let spanID: UInt64
    /// The caller's flags; bit 0 is set if the caller records the trace.
    package let flags: UInt8
    /// The value of `tracestate`, passed on unchanged.
    package var state: String?

    package init?(traceID: (high: UInt64, low: UInt64), spanID: UInt64, flags: UInt8 = 0, state: String? = nil) {
        guard traceID.high != 0 || traceID.low != 0, spanID != 0 else { return nil }
        self.traceID = traceID
        self.spanID = spanID
        self.flags = flags
        self.state = state
    }

    /// Parses `traceparent`; nil for values to ignore (section 3.2.2): upper case, ids of zeros, version ff, version 00
    /// with text after the flags.
    package init?(traceparent: String, state: String? = nil) {
        let bytes = Array(traceparent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = TraceContext.number(bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || (version > 0 && bytes[55] == dash),
            let high = TraceContext.number(bytes[3..<19]), let low = TraceContext.number(bytes[19..<35]),
            let span = TraceContext.number(bytes[36..<52]), let flags = TraceContext.number(bytes[53..<55])
        else { return nil }
        self.init(traceID: (high, low), spanID: span, flags: UInt8(flags), state: state)
    }

    /// The value of `traceparent` for the upstream and for the response.
    package var traceparent: String {
        "00-\(traceIDText)-\(TraceContext.hex(spanID, digits: 16))-\(TraceContext.hex(UInt64(flags), digits: 2))"
    }

    /// The trace id as 32 hexadecimal digits, for logs.
    package var traceIDText: String {
        TraceContext.hex(traceID.high, digits: 16) + TraceContext.hex(traceID.low, digits: 16)
    }

    /// Returns the trace with another span, whose id is not 0.
    package func continued(spanID: UInt64) -> TraceContext {
        precondition(spanID != 0, "a span id must not be 0")
        var next = TraceContext(unchecked: traceID, spanID, flags)
        next.state = state
        return next
    }

    private init(unchecked traceID: (high: UInt64, low: UInt64), _ spanID: UInt64, _ flags: UInt8) {
        self.traceID = traceID
        self.spanID = spanID
        // Version 00 defines bit 0 alone; the others must be sent as 0 (section 3.2.2.5).
        self.flags = flags & 1
    }

    package static func == (one: TraceContext, other: TraceContext) -> Bool {
        one.traceID == other.traceID && one.spanID == other.spanID && one.flags == other.flags
            && one.state == other.state
    }

    /// Parses lower-case hexadecimal digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            guard let digitValue = PercentEncoding.hexValue(digit), !(UInt8(ascii: "A")...UInt8(ascii: "F") ~= digit)
            else { return nil }
            value = value << 4 | UInt64(digitValue)
        }
        return value
    }

    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}
