package import Logging

/// The state of an exchange besides its request.
package struct Context: Sendable {
    /// The id of the exchange in the log, in the response and in a problem's `instance`.
    package var requestID: String
    /// The trace that the request belongs to (W3C Trace Context), if it has one.
    package var trace: TraceContext?
    /// The result of the router, from before any middleware runs.
    package let match: RouteMatch
    /// When the request was complete.
    package let started: ContinuousClock.Instant
    /// The time from the complete request to its response; 0 until there is one.
    ///
    /// It does not include the time to send the response.
    package internal(set) var elapsed: Duration = .zero
    /// Whether the server has refused the request meanwhile, so that this response is not sent.
    package internal(set) var isSettled = false
    /// The client's address for rates and logs: the peer's, or the one that a trusted proxy forwards.
    package var client: String?
    /// A fingerprint of the bearer token; nil where none is required.
    ///
    /// It distinguishes tokens while the process runs.
    package internal(set) var principal: UInt64?
    /// The media type of the response, negotiated if the route has several; nil if it has none.
    package internal(set) var mediaType: MediaType?

    private let baseLogger: Logger
    private let level: Logger.Level

    /// Creates the context at the start of an exchange.
    ///
    /// `level` is the logger's level if the caller knows it; nil reads it from the logger.
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

    /// The logger with the request id, created when it is used: most requests log nothing themselves.
    package var logger: Logger {
        var logger = baseLogger
        logger[metadataKey: "requestId"] = .string(requestID)
        if let trace { logger[metadataKey: "traceId"] = .string(trace.traceIDText) }
        return logger
    }

    /// Returns whether lines of a level are logged.
    package func logs(_ level: Logger.Level) -> Bool { self.level <= level }

    /// The route; nil for a path or method that is not served.
    package var route: Route? { match.route }

    /// The path parameters, decoded.
    package var parameters: PathParameters { match.parameters }
}
