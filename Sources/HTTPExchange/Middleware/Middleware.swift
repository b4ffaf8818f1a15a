/// A rule for many routes, in two steps: one for the request and one for the response.
///
/// Two functions instead of a closure around the next middleware: a step costs a call, the chain is a list, and the
/// second step is the same for immediate and asynchronous responses. If `incoming` was called, `outgoing` is called too,
/// in reverse order.
package protocol Middleware: Sendable {
    /// Changes the context, or returns a response instead of the handler's; errors are converted to problems.
    ///
    /// The request does not change; facts about it are stored in the context.
    func incoming(_ request: Request, _ context: inout Context) throws -> Response?

    /// Changes the response.
    func outgoing(_ response: inout Response, _ request: Request, _ context: Context)
}

extension Middleware {
    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? { nil }
    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {}
}
