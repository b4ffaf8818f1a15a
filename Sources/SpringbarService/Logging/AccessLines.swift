package import HTTPExchange
import JSON
package import Primitives

/// Writes access records as JSON lines, byte for byte as `ServiceLogHandler` would write them.
///
/// The default level logs every request, so the line is written directly, without a dictionary, sorting or a second
/// buffer.
package struct AccessLines: AccessLogSink {
    private let label: String
    private let output: LogOutput
    private let now: @Sendable () -> WallTime

    /// - Parameters:
    ///   - label: the name of the logger in the lines.
    ///   - output: the destination of the lines.
    ///   - now: the wall clock.
    package init(label: String, output: LogOutput, now: @escaping @Sendable () -> WallTime = { .now }) {
        self.label = label
        self.output = output
        self.now = now
    }

    package func write(_ record: AccessRecord) {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.key("time")
            json.moment(now())
            json.member("level", "info")
            json.member("logger", label)
            json.member("message", "request")
            if let bytes = record.bytes { json.member("bytes", bytes) }
            if let client = record.client { json.shown("client", client) }
            json.member("durationMilliseconds", record.duration.milliseconds)
            json.shown("method", record.method)
            json.shown("path", record.path)
            json.shown("requestId", record.requestID)
            json.member("route", record.route)
            json.member("status", record.status)
            if let trace = record.trace { json.member("traceId", trace.traceIDText) }
        }
        json.withBytes { output.add($0, isUrgent: false) }
    }
}
