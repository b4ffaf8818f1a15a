import Glibc
import JSON
package import Logging

/// Writes log records as JSON lines for machines, or as text for people.
package struct ServiceLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Configuration.LogFormat
    private let output: LogOutput
    private let now: @Sendable () -> WallTime

    package init(
        label: String,
        level: Logger.Level,
        format: Configuration.LogFormat,
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
            json.member("time", now().rfc3339)
            json.member("level", event.level.rawValue)
            json.member("logger", label)
            json.member("message", event.message.description)
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                json.key(key)
                write(value, to: &json)
            }
        }
        return json.bytes
    }

    private func write(_ value: Logger.Metadata.Value, to json: inout JSONWriter) {
        switch value {
        case .string(let text): json.value(text)
        case .stringConvertible(let number as Int): json.value(number)
        case .stringConvertible(let number as Double) where number.isFinite: json.value(number)
        case .stringConvertible(let value): json.value(value.description)
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
    /// Control characters of foreign texts are escaped, so that nobody can forge a line.
    private func text(_ event: LogEvent, _ members: Logger.Metadata) -> [UInt8] {
        let level = event.level.rawValue
        var line = now().timeOfDay + " " + level + String(repeating: " ", count: max(1, 9 - level.utf8.count))
        line += event.message.description
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { line += " \(key)=\(value)" }
        return line.unicodeScalars.reduce(into: []) { bytes, scalar in
            let isControl = scalar.value < 0x20 || scalar.value == 0x7F
            bytes.append(
                contentsOf: isControl
                    ? Array("\\u{\(String(scalar.value, radix: 16))}".utf8) : Array(String(scalar).utf8)
            )
        }
    }
}
