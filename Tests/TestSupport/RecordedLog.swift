package import Logging
import Primitives
import Synchronization

/// A log that a test can read.
package final class RecordedLog: Sendable {
    /// One line.
    package struct Line: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: Logger.Metadata
    }

    private let written = Lock<[Line]>([])
    private let level: Logger.Level

    package init(level: Logger.Level = .debug) {
        self.level = level
    }

    /// The logged lines, in order.
    package var lines: [Line] { written.withLock { $0 } }

    /// The messages, each with its metadata.
    package var texts: [String] { lines.map { "\($0.message) \($0.metadata)" } }

    /// A logger that writes to this log.
    package var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            log.written.withLock {
                $0.append(Line(level: event.level, message: event.message.description, metadata: all))
            }
        }
    }
}

extension Logger {
    /// A logger without output.
    package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
