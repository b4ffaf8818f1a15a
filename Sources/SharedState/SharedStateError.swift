/// The reason why a call of a store has no result.
package enum SharedStateError: Error, Sendable, Hashable {
    /// The store is unavailable, overloaded or not ready. The call had no effect.
    case unavailable
    /// The connection was lost, or the time-out passed, after the call was sent. It may have had its effect, or may
    /// have it later. A read throws it, too.
    case unknownOutcome
    /// The store has no memory, or no disk, for a write. The call had no effect.
    case full
    /// The store refused the call for another reason, which it logs, such as missing rights. The call had no effect.
    case refused
    /// The caller's task was cancelled. The call may have its effect.
    case cancelled
}
