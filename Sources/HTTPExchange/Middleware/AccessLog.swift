import Logging

/// One line for each exchange, when its response is made.
///
/// Whether the line is wanted at all is asked first: with the level above `info` it costs a comparison.
package struct AccessLog: Middleware {
    private let sink: (any AccessLogSink)?

    /// - Parameter sink: writes the lines; nil for the service's logger, which costs more.
    package init(sink: (any AccessLogSink)? = nil) {
        self.sink = sink
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard context.logs(.info), !context.isSettled else { return }
        let record = AccessRecord(response, request, context)
        if let sink { sink.write(record) } else { context.logger.info("request", metadata: record.metadata) }
    }
}

/// Writes access records straight to where lines go.
///
/// A logger takes its metadata as a dictionary of boxed values, which costs a request more than everything else about
/// its line.
package protocol AccessLogSink: Sendable {
    /// Writes a line; called on the server's threads, must not wait.
    func write(_ record: AccessRecord)
}
