import Logging
import Primitives
import Synchronization

/// A log that a test can read.
final class RecordedLog: Sendable {
    /// One line.
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata
    }

    private let written = Lock<[Line]>([])
    private let level: Logger.Level

    init(level: Logger.Level = .debug) {
        self.level = level
    }

    /// The logged lines, in order.
    var lines: [Line] { written.withLock { $0 } }

    /// A logger that writes to this log.
    var logger: Logger {
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
