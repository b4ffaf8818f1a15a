/// A rule that holds for many routes, in two steps: what it does to a request on its way in, and to the response on
/// its way out.
///
/// Two plain functions, and no closure that wraps the next one: a step costs a call, the chain reads as a list, and the
/// way out is the same whether the answer came at once or later. Every middleware whose `incoming` was called has its
/// `outgoing` called, in reverse order.
package protocol Middleware: Sendable {
    /// Changes the context, or answers in the handler's place; a throw becomes a problem.
    ///
    /// The request stays what the client sent: what is found out about it has its place in the context.
    func incoming(_ request: Request, _ context: inout Context) throws -> Response?

    /// Changes the response.
    func outgoing(_ response: inout Response, _ request: Request, _ context: Context)
}

extension Middleware {
    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? { nil }
    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {}
}
