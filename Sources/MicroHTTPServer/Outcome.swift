import HTTPExchange

/// How an exchange ended, as the counters know it.
enum Outcome: Equatable {
    /// The whole answer went to the kernel.
    case completed
    /// Refused by us; answered.
    case refused(Refusal)
    /// Refused by the library with an answer of its own.
    case refusedByLibrary(status: Int)
    /// The client left before the end of its request or of the answer.
    case clientGone
    /// The request was not complete at its deadline, or nothing moved for the idle time.
    case timedOut
    /// A stream could not be completed, or an answer could not be made.
    case failed
    /// The server went down before the end.
    case aborted
}

/// Why the library says that a request is over (`MHD_RequestTerminationCode`).
enum Termination: Equatable {
    case completed, error, timeout, shutdown, readError, clientAbort
}

/// What we knew about an exchange when it ended.
struct Ending: Equatable {
    var termination: Termination
    /// The refusal that was answered, if one was.
    var refusal: Refusal?
    /// The status of an answer that the library made by itself; 0 when it made none.
    var libraryStatus = 0
    /// We shut the connection down at its deadline.
    var isExpired = false
    /// A stream or a handler failed.
    var isFailed = false

    /// The one counter that this ending belongs to.
    var outcome: Outcome {
        if isExpired { return .timedOut }
        switch termination {
        case .completed where isFailed:
            return .failed
        case .completed:
            return refusal.map(Outcome.refused) ?? .completed
        case .timeout:
            return .timedOut
        case .shutdown:
            return .aborted
        case .error where libraryStatus >= 400:
            return .refusedByLibrary(status: libraryStatus)
        case .error where isFailed:
            return .failed
        case .error, .readError, .clientAbort:
            return .clientGone
        }
    }
}
