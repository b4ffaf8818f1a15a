import Primitives
import Synchronization

/// Sets the id of each exchange, and continues the client's trace (`traceparent`).
///
/// The id is the client's `X-Request-Id` if it is well-formed, else a new one.
/// An id is well-formed if it has 1 to 128 characters of `A-Z a-z 0-9 - . _ ~ + / =`. This allows UUIDs, hexadecimal
/// digits and Base64, and no character with a meaning in a log line, a field or a URI reference (the `instance` of a
/// problem).
package struct RequestIdentity: Middleware {
    private let makeSpanID: @Sendable () -> UInt64

    /// - Parameter makeSpanID: creates the id of the service's span, never 0.
    package init(makeSpanID: @escaping @Sendable () -> UInt64) {
        self.makeSpanID = makeSpanID
    }

    package func incoming(_ request: Request, _ context: inout Context) -> Response? {
        if let given = request.fields.single(.xRequestID), RequestIdentity.isWellFormed(given) {
            context.requestID = given
        }
        if let parent = request.fields.single(.traceparent) {
            context.trace = TraceContext(traceparent: parent, state: state(of: request))?
                .continued(spanID: makeSpanID())
        }
        return nil
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        response.fields[.xRequestID] = context.requestID
        if let trace = context.trace {
            response.fields[.traceparent] = trace.traceparent
            response.fields[.tracestate] = trace.state
        }
    }

    /// Returns `tracestate` as one list (W3C Trace Context, section 3.3.1); nil above 512 characters, up to which it must
    /// be propagated, and with characters that its members cannot have.
    private func state(of request: Request) -> String? {
        guard request.fields[.tracestate] != nil else { return nil }
        let state = request.fields.values(of: .tracestate).joined(separator: ",")
        let isPrintable = state.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 }
        return state.isEmpty || state.utf8.count > 512 || !isPrintable ? nil : state
    }

    static func isWellFormed(_ id: String) -> Bool {
        1...128 ~= id.utf8.count
            && id.utf8.allSatisfy { byte in
                PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
                    || byte == UInt8(ascii: "=")
            }
    }
}

/// Unique numbers, for the ids of requests and spans.
///
/// A counter with SplitMix64's mixer (Steele, Lea, Flood 2014), which maps 64 bits to 64 bits one to one. The numbers are
/// unique in a process and take a few nanoseconds, where the kernel's random numbers need a system call. They are not
/// secret: each can be computed from the previous one.
package final class UniqueNumbers: Sendable {
    private let counter: Atomic<UInt64>

    /// Starts at a random number.
    package init(seed: UInt64 = .random(in: .min ... .max)) {
        counter = Atomic(seed)
    }

    /// Returns the next number, never 0.
    package func next() -> UInt64 {
        while true {
            let state = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            if mixed != 0 { return mixed }
        }
    }

    /// Returns a request id: the next number in 13 digits of Crockford's base 32 (without I, L, O, U), which a `String`
    /// stores without an allocation.
    package func nextID() -> String {
        var rest = next()
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for position in (0..<13).reversed() {
                buffer[position] = UniqueNumbers.digits[Int(rest & 31)]
                rest >>= 5
            }
            return 13
        }
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

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

    /// Returns the trace with another span; `spanID` is not 0.
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
