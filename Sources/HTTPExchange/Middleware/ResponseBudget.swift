import HTTPTypes
package import Primitives

/// Replaces a response that does not fit into the memory budget with 503 `overloaded`.
///
/// The server charges responses when it sends them. This middleware checks them before they are logged and counted, so
/// that both show the response that is sent. The response to a request that may have changed something is always sent:
/// the server refuses such requests before they are handled while the budget is overdrawn. The response of an operation
/// is always sent too, such as the metrics that show the overload.
package struct ResponseBudget: Middleware {
    private let memory: MemoryBudget

    package init(_ memory: MemoryBudget) {
        self.memory = memory
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard request.isSafe else { return }
        switch response.content {
        case .bytes(let bytes):
            guard bytes.count > MemoryBudget.uncountedBytes, request.method != .head,
                response.status != .notModified, context.route?.isOperation != true, !memory.fits(bytes.count)
            else { return }
        case .stream(let stream):
            guard stream.length == nil, !memory.fits(MemoryBudget.uncountedBytes) else { return }
            stream.close()
        case .none, .shared:
            return
        }
        response = Problem(refusal: .overloaded).response(instance: context.requestID)
    }
}

extension Request {
    /// Whether the method changes nothing (RFC 9110, section 9.2.1).
    package var isSafe: Bool {
        method == .get || method == .head || method == .options || method == .trace
    }
}
