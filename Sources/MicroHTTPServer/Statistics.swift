import HTTPExchange
import Primitives
import Synchronization

extension Server {
    /// The counters of a server since its start, and its current state.
    package struct Statistics: Sendable, Equatable {
        /// Connections open now.
        package var openConnections = 0
        /// Connections accepted since the start.
        package var acceptedConnections = 0
        /// Connections of the reserve open now.
        package var reservedConnections = 0
        /// Connections closed at once because all were in use.
        package var rejectedForLimit = 0
        /// Connections closed at once because their client had too many.
        package var rejectedForShare = 0
        /// Requests whose head is complete and whose response is not.
        package var activeRequests = 0
        /// Connections suspended for a promised response, and open streams.
        package var waiting = 0
        /// Requests whose response was sent completely.
        package var completed = 0
        /// Requests whose client left before their end.
        package var clientGone = 0
        /// Requests that were not received at their deadline, and idle connections in the middle of one.
        package var timedOut = 0
        /// Responses that failed in the service, such as a stream that broke off.
        package var failed = 0
        /// Requests cut off by the end of the server.
        package var aborted = 0
        /// Requests refused by the library itself after the request line (see `docs/http.md`).
        package var refusedByLibrary = 0
        /// Requests refused by the server, by reason.
        package var refused: [String: Int] = [:]
    }
}

/// The counters of `Server.Statistics`: one relaxed addition for each event.
final class Counters: Sendable {
    let acceptedConnections = Atomic(0)
    private let rejectedForLimit = Atomic(0)
    private let rejectedForShare = Atomic(0)
    let activeRequests = Atomic(0)
    private let completed = Atomic(0)
    private let clientGone = Atomic(0)
    private let timedOut = Atomic(0)
    private let failed = Atomic(0)
    private let aborted = Atomic(0)
    private let refusedByLibrary = Atomic(0)
    /// Refusals are rare, so a dictionary behind a lock is cheap enough.
    private let refused = Lock<[String: Int]>([:])

    func count(_ outcome: ExchangeOutcome) {
        switch outcome {
        case .completed: completed.add(1, ordering: .relaxed)
        case .clientGone: clientGone.add(1, ordering: .relaxed)
        case .timedOut: timedOut.add(1, ordering: .relaxed)
        case .failed: failed.add(1, ordering: .relaxed)
        case .aborted: aborted.add(1, ordering: .relaxed)
        case .refusedByLibrary: refusedByLibrary.add(1, ordering: .relaxed)
        case .refused(let refusal): refused.withLock { $0[refusal.reason, default: 0] += 1 }
        }
    }

    func count(_ rejection: ConnectionLimits.Rejection) {
        switch rejection {
        case .limit: rejectedForLimit.add(1, ordering: .relaxed)
        case .share: rejectedForShare.add(1, ordering: .relaxed)
        }
    }

    func snapshot() -> Server.Statistics {
        var statistics = Server.Statistics()
        statistics.acceptedConnections = acceptedConnections.load(ordering: .relaxed)
        statistics.rejectedForLimit = rejectedForLimit.load(ordering: .relaxed)
        statistics.rejectedForShare = rejectedForShare.load(ordering: .relaxed)
        statistics.activeRequests = activeRequests.load(ordering: .relaxed)
        statistics.completed = completed.load(ordering: .relaxed)
        statistics.clientGone = clientGone.load(ordering: .relaxed)
        statistics.timedOut = timedOut.load(ordering: .relaxed)
        statistics.failed = failed.load(ordering: .relaxed)
        statistics.aborted = aborted.load(ordering: .relaxed)
        statistics.refusedByLibrary = refusedByLibrary.load(ordering: .relaxed)
        statistics.refused = refused.withLock { $0 }
        return statistics
    }
}

extension Refusal {
    /// The name of the case without its values, as a label.
    var reason: String {
        switch self {
        case .lengthAndTransferEncoding: "lengthAndTransferEncoding"
        case .repeatedLength: "repeatedLength"
        case .unknownTransferCoding: "unknownTransferCoding"
        case .controlInTarget: "controlInTarget"
        case .malformedTarget: "malformedTarget"
        case .controlInField: "controlInField"
        case .malformedFieldName: "malformedFieldName"
        case .missingHost: "missingHost"
        case .repeatedHost: "repeatedHost"
        case .malformedHost: "malformedHost"
        case .targetTooLong: "targetTooLong"
        case .headTooLarge: "headTooLarge"
        case .contentTooLarge: "contentTooLarge"
        case .overloaded: "overloaded"
        case .reserved: "reserved"
        case .deadlineExceeded: "deadlineExceeded"
        case .draining: "draining"
        }
    }
}

/// The result of an exchange, for the counters.
enum ExchangeOutcome: Equatable {
    /// The whole response was passed to the kernel.
    case completed
    /// Refused by the server.
    case refused(Refusal)
    /// Refused by the library, with its own response.
    case refusedByLibrary(status: Int)
    /// The client left before the end of its request or of the response.
    case clientGone
    /// The request was not complete at its deadline, or the connection was idle for too long.
    case timedOut
    /// A stream or a response could not be completed.
    case failed
    /// The server stopped before the end.
    case aborted
}

/// The reason that the library gives for the end of a request (`MHD_RequestTerminationCode`).
enum Termination: Equatable {
    case completed, error, timeout, shutdown, readError, clientAbort
}

/// The facts from which the result of an exchange follows.
struct ExchangeEnd: Equatable {
    var termination: Termination
    /// The refusal that was sent, if any.
    var refusal: Refusal?
    /// The status of a response of the library itself; 0 without one.
    var libraryStatus = 0
    /// Whether the connection was shut down at its deadline.
    var isExpired = false
    /// Whether a stream or a handler failed.
    var isFailed = false

    /// The result, which selects one counter.
    var outcome: ExchangeOutcome {
        if isExpired { return .timedOut }
        if let refusal, refusal.isSentDirectly { return .refused(refusal) }
        switch termination {
        case .completed where isFailed:
            return .failed
        case .completed:
            return refusal.map(ExchangeOutcome.refused) ?? .completed
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
