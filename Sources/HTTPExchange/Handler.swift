/// Decodes a request, asks the domain, encodes the answer.
///
/// What it throws becomes a problem.
package typealias Handler = @Sendable (Request, Context) throws -> Reply
