import Glibc
import JSON
package import Logging
package import Primitives

/// Writes log records as lines of JSON or of text.
package struct ServiceLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Configuration.Logs.Format
    private let output: LogOutput
    private let now: @Sendable () -> WallTime

    package init(
        label: String,
        level: Logger.Level,
        format: Configuration.Logs.Format,
        output: LogOutput,
        now: @escaping @Sendable () -> WallTime = { .now }
    ) {
        self.label = label
        logLevel = level
        self.format = format
        self.output = output
        self.now = now
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let members = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        let line =
            switch format {
            case .json: json(event, members)
            case .text: text(event, members)
            }
        output.add(line, isUrgent: event.level >= .warning)
    }

    private func json(_ event: LogEvent, _ members: Logger.Metadata) -> [UInt8] {
        var json = JSONWriter(capacity: 384)
        json.object { json in
            json.key("time")
            json.moment(now())
            json.member("level", event.level.rawValue)
            json.member("logger", label)
            json.shown("message", event.message.description)
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                json.key(key)
                write(value, to: &json)
            }
        }
        return json.bytes
    }

    private func write(_ value: Logger.Metadata.Value, to json: inout JSONWriter) {
        switch value {
        case .string(let text): json.shown(text)
        case .stringConvertible(let number as Int): json.value(number)
        case .stringConvertible(let number as Double) where number.isFinite: json.value(number)
        case .stringConvertible(let value): json.shown(value.description)
        case .array(let values): json.array { json in for value in values { write(value, to: &json) } }
        case .dictionary(let members):
            json.object { json in
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.key(key)
                    write(value, to: &json)
                }
            }
        }
    }

    /// Writes a line such as `12:34:56.789 info     message key=value`.
    ///
    /// Characters that terminals interpret are escaped, so that a client's text cannot forge a line.
    private func text(_ event: LogEvent, _ members: Logger.Metadata) -> [UInt8] {
        let level = event.level.rawValue
        var line = now().timeOfDay + " " + level + String(repeating: " ", count: max(1, 9 - level.utf8.count))
        line += event.message.description
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        return LogText.escaped(line)
    }
}

extension ServiceLogHandler {
    /// Returns a function for `LogOutput` that makes the line about dropped lines.
    package static func lossReport(
        label: String,
        format: Configuration.Logs.Format,
        now: @escaping @Sendable () -> WallTime = { .now }
    ) -> @Sendable (Int) -> [UInt8] {
        { count in
            let message = count == 1 ? "1 log line was dropped" : "\(count) log lines were dropped"
            switch format {
            case .text: return LogText.escaped("\(now().timeOfDay) warning  \(message)")
            case .json:
                var json = JSONWriter(capacity: 192)
                json.object { json in
                    json.key("time")
                    json.moment(now())
                    json.member("level", "warning")
                    json.member("logger", label)
                    json.member("message", message)
                    json.member("dropped", count)
                }
                return json.bytes
            }
        }
    }
}

extension JSONWriter {
    /// Writes a moment with milliseconds as a value, for logs.
    mutating func moment(_ time: WallTime) {
        ascii(room: WallTime.length) { text in
            time.write(to: text)
            return WallTime.length
        }
    }
}
