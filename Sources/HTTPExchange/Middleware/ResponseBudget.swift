import HTTPTypes
import Primitives

/// Reserves the memory of each response until it has been sent, and replaces one that does not fit with 503 `overloaded`.
///
/// It is the innermost step but one, so the log and the metrics show the response that is sent. A handler that changes
/// something has reserved the most that its answer can have before the change, so a 503 always means that nothing was
/// changed.
package struct ResponseBudget: Middleware {
    package init() {}

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        let isOperation = context.route?.isOperation ?? false
        let isSent = request.method != .head && response.status != .notModified
        guard !context.memory.settle(isSent ? response.content : .none, isOperation: isOperation) else { return }
        response.content.release()
        response = Problem(refusal: .overloaded).response(instance: context.requestID)
        _ = context.memory.settle(.none, isOperation: isOperation)
    }
}
