package import Logging
package import Primitives

/// The state of an exchange besides its request.
package struct Context: Sendable {
    /// The id of the exchange in the log, in the response and in a problem's `instance`.
    package var requestID: String
    /// The trace that the request belongs to (W3C Trace Context), if it has one.
    package var trace: TraceContext?
    /// The result of the router, from before any middleware runs.
    package let match: RouteMatch
    /// When the request was complete.
    package let started: Instant
    /// The time from the complete request to its response; 0 until there is one.
    ///
    /// It does not include the time to send the response.
    package internal(set) var elapsed: Duration = .zero
    /// Whether the server has refused the request meanwhile, so that this response is not sent.
    package internal(set) var isRefused = false
    /// Whether the handler of a route was called.
    var isHandled = false
    /// The memory of the request, with the client that all shares and rates count for.
    package let memory: RequestMemory
    /// A fingerprint of the bearer token; nil where none is required.
    ///
    /// It distinguishes tokens while the process runs.
    package internal(set) var principal: UInt64?

    private let base: ContextLogger

    /// Creates the context at the start of an exchange.
    package init(
        requestID: String,
        match: RouteMatch,
        started: Instant,
        memory: RequestMemory = .unlimited(),
        logger: ContextLogger
    ) {
        self.requestID = requestID
        self.match = match
        self.started = started
        self.memory = memory
        base = logger
    }

    /// The logger with the request id, created when it is used: most requests log nothing themselves.
    package var logger: Logger {
        var logger = base.logger
        logger[metadataKey: "requestId"] = .string(requestID)
        if let trace { logger[metadataKey: "traceId"] = .string(trace.traceID) }
        return logger
    }

    /// Returns whether lines of a level are logged.
    package func logs(_ level: Logger.Level) -> Bool { base.level <= level }

    /// The client that shares and rates count for; nil if its address is not known.
    package var clientKey: ClientKey? { memory.account.client }

    /// The route; nil for a path or method that is not served.
    package var route: Route? { match.route }

    /// The path parameters, decoded.
    package var parameters: PathParameters { match.parameters }
}

/// The logger of all contexts, with its level, which costs a call through the logger's handler to read.
///
/// A class, so that a context has one reference more and not the several of a logger.
package final class ContextLogger: Sendable {
    fileprivate let logger: Logger
    fileprivate let level: Logger.Level

    package init(_ logger: Logger) {
        self.logger = logger
        level = logger.logLevel
    }
}
