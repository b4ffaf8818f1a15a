package import Logging

/// What is known about an exchange beside its request.
package struct Context: Sendable {
    /// Names the exchange in the log, in the answer and in a problem's `instance`.
    package var requestID: String
    /// The trace this request belongs to (W3C Trace Context), when it came with one.
    package var trace: TraceContext?
    /// What the router found, decided before any middleware runs.
    package let match: RouteMatch
    /// When the request was complete.
    package let started: ContinuousClock.Instant
    /// From the complete request to its response; 0 until there is one.
    ///
    /// What is sent after that, and how long a client takes to read it, is the server's to tell.
    package internal(set) var elapsed: Duration = .zero
    /// Whether the server has refused the request meanwhile: what comes out now is sent to nobody.
    package internal(set) var isSettled = false
    /// The address that rates and logs go by: the peer, or what a trusted proxy says it is.
    package var client: String?
    /// A fingerprint of the bearer token that the request came with; nil where none is asked for.
    ///
    /// It tells the holder of one token from that of another, for as long as the process runs.
    package internal(set) var principal: UInt64?
    /// Which of the route's media types the client likes best; nil for a route that does not negotiate.
    package internal(set) var mediaType: MediaType?

    private let baseLogger: Logger
    private let level: Logger.Level

    /// What is known at the start of an exchange.
    ///
    /// `level` is the logger's, when the caller has asked for it already; nil asks the logger.
    package init(
        requestID: String,
        match: RouteMatch,
        started: ContinuousClock.Instant,
        client: String? = nil,
        logger: Logger,
        level: Logger.Level? = nil
    ) {
        self.requestID = requestID
        self.match = match
        self.started = started
        self.client = client
        baseLogger = logger
        self.level = level ?? logger.logLevel
    }

    /// The service's logger with the request id; made when asked for, since most requests log nothing of their own.
    package var logger: Logger {
        var logger = baseLogger
        logger[metadataKey: "requestId"] = .string(requestID)
        if let trace { logger[metadataKey: "traceId"] = .string(trace.traceIDText) }
        return logger
    }

    /// Whether anything of this level is logged: asked before a line is put together.
    package func logs(_ level: Logger.Level) -> Bool { self.level <= level }

    /// The route that was found; nil for a path or method that is not served.
    package var route: Route? { match.route }

    /// The path parameters, decoded.
    package var parameters: PathParameters { match.parameters }
}
