import HTTPExchange
import Synchronization

extension Server {
    /// What a server has done so far, and what it is doing.
    package struct Statistics: Sendable, Equatable {
        /// Connections open now.
        package var openConnections = 0
        /// Connections taken since the start.
        package var acceptedConnections = 0
        /// Connections of the reserve open now.
        package var reservedConnections = 0
        /// Connections closed at once because all were taken.
        package var rejectedForLimit = 0
        /// Connections closed at once because their client had its share.
        package var rejectedForShare = 0
        /// Requests whose head is complete and whose answer is not.
        package var activeRequests = 0
        /// Connections suspended for a promised answer, and open streams.
        package var waiting = 0
        /// Requests answered to the last byte.
        package var completed = 0
        /// Requests whose client left before the end.
        package var clientGone = 0
        /// Requests that were not received at their deadline, and idle connections in the middle of one.
        package var timedOut = 0
        /// Answers that failed on our side: a stream that broke off.
        package var failed = 0
        /// Requests cut off by the end of the server.
        package var aborted = 0
        /// Requests refused by the library itself after the request line (see `docs/http.md`).
        package var refusedByLibrary = 0
        /// Requests refused by us, by reason.
        package var refused: [String: Int] = [:]

        /// Connections closed at once, for any reason.
        package var rejectedConnections: Int { rejectedForLimit + rejectedForShare }
    }
}

/// The counters behind `Server.Statistics`: one relaxed addition an event.
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
    private let refused = Mutex<[String: Int]>([:])

    func count(_ outcome: Outcome) {
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
    /// The name of the case, without what it carries: a label with few values.
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
        case .contentTooLarge: "contentTooLarge"
        case .overloaded: "overloaded"
        case .reserved: "reserved"
        case .deadlineExceeded: "deadlineExceeded"
        case .draining: "draining"
        }
    }
}
