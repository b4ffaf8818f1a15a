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
        if let id = request.fields.single(.xRequestID), RequestIdentity.isWellFormed(id) {
            context.requestID = id
        }
        if context.trace == nil, let parent = request.fields.single(.traceparent) {
            context.trace = TraceContext(traceparent: parent, state: state(of: request), spanID: makeSpanID())
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
        var random = next()
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for position in (0..<13).reversed() {
                buffer[position] = UniqueNumbers.digits.utf8Start[Int(random & 31)]
                random >>= 5
            }
            return 13
        }
    }

    /// A literal, because an array would be looked up and checked for each digit.
    private static let digits: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
}

/// The trace of a request (W3C Trace Context, https://www.w3.org/TR/trace-context/), with the span of the service.
package struct TraceContext: Sendable, Equatable {
    /// The id of the trace: 32 lower-case hexadecimal digits.
    package let traceID: String
    /// The id of the service's span; never 0.
    private let spanID: UInt64
    /// Bit 0 is set if the caller records the trace.
    private let flags: UInt8
    /// The value of `tracestate`, passed on unchanged.
    package let state: String?

    /// Continues the trace of a received `traceparent`; nil for values to ignore (section 3.2.2): upper case, ids of zeros,
    /// version ff, version 00 with text after the flags.
    package init?(traceparent: String, state: String? = nil, spanID: UInt64) {
        precondition(spanID != 0, "a span id must not be 0")
        let parts = traceparent.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.prefix(4).map(\.count) == [2, 32, 16, 2], parts.prefix(4).allSatisfy(TraceContext.isHexadecimal),
            parts[1...2].allSatisfy({ $0.contains { $0 != UInt8(ascii: "0") } }),
            let version = UInt8(Substring(parts[0]), radix: 16), version != 0xFF, parts.count == 4 || version > 0,
            let flags = UInt8(Substring(parts[3]), radix: 16)
        else { return nil }
        traceID = String(Substring(parts[1]))
        self.spanID = spanID
        // Version 00 defines bit 0 alone; the others must be sent as 0 (section 3.2.2.5).
        self.flags = flags & 1
        self.state = state
    }

    /// The value of `traceparent` for the upstream and for the response.
    package var traceparent: String {
        let span = String(spanID, radix: 16)
        return "00-\(traceID)-\(String(repeating: "0", count: 16 - span.utf8.count))\(span)-0\(flags)"
    }

    private static func isHexadecimal(_ text: Substring.UTF8View) -> Bool {
        text.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
    }
}
