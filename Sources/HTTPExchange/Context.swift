package import Logging

/// What is known about an exchange beside its request.
package struct Context: Sendable {
    /// Names the exchange in the log, in the answer and in a problem's `instance`.
    package var requestID: String
    /// The trace this request belongs to (W3C Trace Context), when it came with one or a middleware began one.
    package var trace: TraceContext?
    /// What the router found, decided before any middleware runs.
    package let match: RouteMatch
    /// When the request was complete.
    package let started: ContinuousClock.Instant
    /// The address that rates and logs go by: the peer, or what a trusted proxy says it is.
    package var client: String?

    private let baseLogger: Logger

    package init(
        requestID: String,
        match: RouteMatch,
        started: ContinuousClock.Instant,
        client: String? = nil,
        logger: Logger
    ) {
        self.requestID = requestID
        self.match = match
        self.started = started
        self.client = client
        baseLogger = logger
    }

    /// The service's logger with the request id; made when asked for, since most requests log nothing of their own.
    package var logger: Logger {
        var logger = baseLogger
        logger[metadataKey: "requestId"] = .string(requestID)
        return logger
    }

    /// The route that was found; nil for a path or method that is not served.
    package var route: Route? { match.route }

    /// The path parameters, decoded.
    package var parameters: PathParameters { match.parameters }
}
