package import BarLayout

/// Why a request about a bar cannot be answered.
package enum BarSessionError: Error, Sendable, Equatable {
    /// No bar has this name, or its time is over.
    case notFound
    /// There is no room for another bar, or for the tracks of this one.
    case full
    /// The client has as many bars, or bytes of bars, as one client may have.
    case clientShare
    /// The answer would be larger than an answer may be; whether the request asked for all results and need not.
    case answerTooLarge(canAskForLess: Bool)
    /// Others wrote so often that this request never got its turn.
    case contended
    /// The content has a value that the domain does not allow; with a JSON Pointer to it.
    case invalid(pointer: String, BarLayoutError)
    /// An event is about another view; with a JSON Pointer to its name.
    case scrollableMismatch(pointer: String, attached: String, given: String)
    /// An event's number leaves out others.
    case sequenceGap(pointer: String, expected: Int)
    /// An event's number was used before, with other content.
    case sequenceReused(pointer: String, sequence: Int)
    /// What is asked for is older than what is kept.
    case sequenceTrimmed(first: Int?)
    /// A state is asked for that the bar has not reached yet.
    case sequenceAhead(last: Int)
    /// A batch numbers some of its events and not the others; with a JSON Pointer to the first other one.
    case mixedSequences(pointer: String)
    /// The idempotency key came before with other content.
    case keyReused
    /// The request with this idempotency key is still at work.
    case keyRunning
    /// There is no track of this name.
    case unknownTrack(String)
}
