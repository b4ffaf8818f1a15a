import CMicroHTTPD
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
        /// Requests that have ended, by their outcome.
        package var exchanges: [ExchangeOutcome: Int] = [:]
    }
}

/// The outcome of an exchange.
package enum ExchangeOutcome: Int, Sendable, CaseIterable {
    /// The whole response was passed to the kernel.
    case completed
    /// The client left before the end of its request or of the response.
    case clientGone
    /// The request was not complete at its deadline, or the connection was idle for too long.
    case timedOut
    /// A stream or a response could not be completed.
    case failed
    /// The server stopped before the end.
    case aborted
    /// The server refused the request.
    case refused
    /// The library refused the request after its request line, with its own response (see `docs/http.md`).
    case refusedByLibrary

    /// - Parameters:
    ///   - termination: the reason that the library gives for the end.
    ///   - refusal: the refusal that was sent, if any.
    ///   - libraryStatus: the status of a response of the library itself; 0 without one.
    ///   - isExpired: whether the connection was shut down at its deadline.
    ///   - isFailed: whether a stream or a handler failed.
    init(
        _ termination: MHD_RequestTerminationCode,
        refusal: Refusal? = nil,
        libraryStatus: Int = 0,
        isExpired: Bool = false,
        isFailed: Bool = false
    ) {
        switch (termination, refusal) {
        case _ where isExpired: self = .timedOut
        // They are sent past the library (`Response.sendDirectly`), which then reports an error.
        case (_, .targetTooLong), (_, .headTooLarge), (_, .responseHeadTooLarge): self = .refused
        case (.REQUEST_TERMINATED_COMPLETED_OK, _) where isFailed: self = .failed
        case (.REQUEST_TERMINATED_COMPLETED_OK, let refusal): self = refusal == nil ? .completed : .refused
        case (.REQUEST_TERMINATED_TIMEOUT_REACHED, _): self = .timedOut
        case (.REQUEST_TERMINATED_DAEMON_SHUTDOWN, _): self = .aborted
        case (.REQUEST_TERMINATED_READ_ERROR, _), (.REQUEST_TERMINATED_CLIENT_ABORT, _): self = .clientGone
        default: self = libraryStatus >= 400 ? .refusedByLibrary : isFailed ? .failed : .clientGone
        }
    }
}

/// The counters of `Server.Statistics`: one relaxed addition for each event.
final class Counters: Sendable {
    let acceptedConnections = Atomic(0)
    let rejectedForLimit = Atomic(0)
    let rejectedForShare = Atomic(0)
    let activeRequests = Atomic(0)
    /// The number of exchanges with each outcome.
    private let exchanges = ExchangeOutcome.allCases.map { _ in Counter() }

    /// An object that holds an atomic number, because an array cannot.
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    /// Counts the end of an exchange; `isActive` if it was counted in `activeRequests`.
    func end(_ outcome: ExchangeOutcome, isActive: Bool) {
        exchanges[outcome.rawValue].value.add(1, ordering: .relaxed)
        if isActive { activeRequests.subtract(1, ordering: .sequentiallyConsistent) }
    }

    func snapshot() -> Server.Statistics {
        var statistics = Server.Statistics()
        statistics.acceptedConnections = acceptedConnections.load(ordering: .relaxed)
        statistics.rejectedForLimit = rejectedForLimit.load(ordering: .relaxed)
        statistics.rejectedForShare = rejectedForShare.load(ordering: .relaxed)
        statistics.activeRequests = activeRequests.load(ordering: .relaxed)
        for outcome in ExchangeOutcome.allCases {
            statistics.exchanges[outcome] = exchanges[outcome.rawValue].value.load(ordering: .relaxed)
        }
        return statistics
    }
}
