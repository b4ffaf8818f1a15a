import Primitives

/// Gives each exchange its name: the client's `X-Request-Id` where it is well formed, else one of ours, echoed; and its
/// place in the client's trace (`traceparent`), where it came with one.
///
/// Well formed is 1 to 128 characters of `A-Z a-z 0-9 - . _ ~ + / =`: UUIDs, hexadecimal and base 64 pass, and nothing
/// that could break out of a log line, an answer's field or the `instance` of a problem, which is a URI reference.
package struct RequestIdentity: Middleware {
    private let makeSpanID: @Sendable () -> UInt64

    /// - Parameter makeSpanID: makes the id of our part in a trace, never 0.
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

    /// What tracing systems pass along, as one list (W3C Trace Context, section 3.3.1); at most 512 characters, the
    /// length up to which it has to be kept.
    private func state(of request: Request) -> String? {
        guard request.fields[.tracestate] != nil else { return nil }
        let state = request.fields.values(of: .tracestate).joined(separator: ",")
        return state.isEmpty || state.utf8.count > 512 ? nil : state
    }

    static func isWellFormed(_ id: String) -> Bool {
        1...128 ~= id.utf8.count
            && id.utf8.allSatisfy { byte in
                PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
                    || byte == UInt8(ascii: "=")
            }
    }
}
