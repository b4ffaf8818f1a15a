import Logging
import MicroHTTPServer
import Primitives
import Synchronization

/// A log that keeps its lines.
final class RecordingLog: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let source: String?
    }

    private let recorded = Lock<[Line]>([])

    var lines: [Line] { recorded.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    private struct Handler: LogHandler {
        let log: RecordingLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let source = event.metadata?["source"].map { "\($0)" }
            let line = Line(level: event.level, message: "\(event.message)", source: source)
            log.recorded.withLock { $0.append(line) }
        }
    }
}
