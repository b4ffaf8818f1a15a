/// What a handler gives back: an answer, or the promise of one.
package enum Reply: Sendable {
    /// Sent from the callback that asked: nothing may have waited for it.
    case now(Response)
    /// The connection sleeps until this returns. It is cancelled when the client leaves, at the deadline and at the
    /// end of a drain.
    case later(@Sendable () async throws -> Response)
}

extension Reply {
    /// The same reply with `change` applied to its answer, whenever that comes.
    package func map(_ change: @escaping @Sendable (Response) throws -> Response) rethrows -> Reply {
        switch self {
        case .now(let response): .now(try change(response))
        case .later(let work): .later { try change(try await work()) }
        }
    }
}
