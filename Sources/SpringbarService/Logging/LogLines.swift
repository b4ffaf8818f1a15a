import JSON
import Logging
package import Primitives

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
        json.ascii(room: WallTime.length) { text in
            time.write(to: text)
            return WallTime.length
        }
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
