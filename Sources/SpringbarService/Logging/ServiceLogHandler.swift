package import HTTPExchange
import JSON
package import Logging

/// Writes log records as lines of JSON or of text.
package struct ServiceLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let lines: LogLines
    private let output: LogOutput

    package init(lines: LogLines, level: Logger.Level, output: LogOutput) {
        self.lines = lines
        logLevel = level
        self.output = output
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let members = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        output.add(lines.line(event.level, event.message.description, members), isUrgent: event.level >= .warning)
    }
}

/// Access records are written directly as JSON, byte for byte as the logger would write them.
///
/// The default level logs every request, so this saves a dictionary, sorting and a second buffer for each.
extension ServiceLogHandler: AccessLogSink {
    package func write(_ record: AccessRecord) {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            lines.begin(.info, "request", in: &json)
            if let bytes = record.bytes { json.member("bytes", bytes) }
            if let client = record.client { json.shown("client", client) }
            json.member("durationMilliseconds", record.durationMilliseconds)
            json.shown("method", record.method)
            json.shown("path", record.path)
            json.shown("requestId", record.requestID)
            json.member("route", record.route)
            json.member("status", record.status)
            if let trace = record.trace { json.member("traceId", trace.traceID) }
        }
        json.withBytes { output.add($0, isUrgent: false) }
    }
}
