package import HTTPExchange
import JSON
package import Logging
package import Primitives

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
extension ServiceLogHandler {
    package func write(_ record: AccessRecord) {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            lines.begin(.info, "request", in: &json)
            if let bytes = record.bytes { json.member("bytes", bytes) }
            if let client = record.client { json.shown("client", client) }
            json.member("durationMilliseconds", record.durationMilliseconds)
            json.shown("method", record.method)
            json.shown("path", record.path)
            if let problem = record.problem { json.member("problem", problem) }
            json.shown("requestId", record.requestID)
            json.member("route", record.route)
            json.member("status", record.status)
            if let trace = record.trace { json.member("traceId", trace.traceID) }
        }
        json.withBytes { output.add($0, isUrgent: false) }
    }
}

/// The lines of a logger, in JSON or as text.
package struct LogLines: Sendable {
    private let label: String
    private let format: Configuration.Logs.Format
    private let now: @Sendable () -> WallTime

    package init(label: String, format: Configuration.Logs.Format, now: @escaping @Sendable () -> WallTime = { .now }) {
        self.label = label
        self.format = format
        self.now = now
    }

    package func loss(_ count: Int) -> [UInt8] {
        let message = count == 1 ? "1 log line was dropped" : "\(count) log lines were dropped"
        return line(.warning, message, format == .json ? ["dropped": .stringConvertible(count)] : [:])
    }

    /// Returns a line without its line feed.
    func line(_ level: Logger.Level, _ message: String, _ members: Logger.Metadata) -> [UInt8] {
        let sorted = members.sorted { $0.key < $1.key }
        switch format {
        case .json:
            var json = JSONWriter(capacity: 384)
            json.object { json in
                begin(level, message, in: &json)
                for (key, value) in sorted { json.member(key, value) }
            }
            return json.bytes
        case .text:
            // Such as `12:34:56.789 info     message key=value`. A client's text cannot forge a line.
            let padding = String(repeating: " ", count: max(1, 9 - level.rawValue.utf8.count))
            let pairs = sorted.map { " \($0.key)=\($0.value)" }.joined()
            return LogText.escaped("\(now().timeOfDay) \(level.rawValue)\(padding)\(message)\(pairs)")
        }
    }

    /// Writes the members that every line has.
    func begin(_ level: Logger.Level, _ message: String, in json: inout JSONWriter) {
        json.key("time")
        let time = now()
        json.ascii(room: WallTime.length) { time.write(to: $0) }
        json.member("level", level.rawValue)
        json.member("logger", label)
        json.shown("message", message)
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: String, _ value: Logger.Metadata.Value) {
        self.key(key)
        self.value(value)
    }

    private mutating func value(_ value: Logger.Metadata.Value) {
        switch value {
        case .string(let text): shown(text)
        case .stringConvertible(let number as Int): self.value(number)
        case .stringConvertible(let number as Double) where number.isFinite: self.value(number)
        case .stringConvertible(let value): shown(value.description)
        case .array(let values): array { json in for value in values { json.value(value) } }
        case .dictionary(let members):
            object { json in for (key, value) in members.sorted(by: { $0.key < $1.key }) { json.member(key, value) } }
        }
    }
}
