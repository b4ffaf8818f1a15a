import CMicroHTTPD
import Logging

/// Writes the library's own log to a logger.
///
/// The library passes a format and a `va_list` to a callback; the shim formats the line and passes it on. The library
/// keeps the address of the C structure, so this object must outlive the daemon.
final class LibraryLog {
    private let sink: UnsafeMutablePointer<microhttpd_log>

    /// A sink for `logger`, to be kept until the daemon has stopped.
    init(logger: Logger) {
        sink = .allocate(capacity: 1)
        sink.initialize(
            to: microhttpd_log(
                write: { context, line in
                    // `!`: the context is the one set below, and the shim never passes a null line.
                    let logger = Unmanaged<LoggerBox>.fromOpaque(context!).takeUnretainedValue().logger
                    LibraryLog.write(String(cString: line!), to: logger)
                },
                context: Unmanaged.passRetained(LoggerBox(logger)).toOpaque()
            )
        )
    }

    deinit {
        if let context = sink.pointee.context { Unmanaged<LoggerBox>.fromOpaque(context).release() }
        sink.deinitialize(count: 1)
        sink.deallocate()
    }

    /// The address to pass to the library.
    var pointer: UnsafeMutablePointer<microhttpd_log> { sink }

    private final class LoggerBox {
        let logger: Logger

        init(_ logger: Logger) {
            self.logger = logger
        }
    }

    private static func write(_ line: String, to logger: Logger) {
        var line = line[...]
        while line.last?.isWhitespace == true { line.removeLast() }
        logger.log(
            level: level(of: line),
            Logger.Message(stringLiteral: String(line)),
            metadata: ["source": "libmicrohttpd"]
        )
    }

    /// Returns the level of a line, which the library does not tell.
    ///
    /// Lines that a client can cause with a few bytes are debug lines, so that a flood of bad requests is not a flood of
    /// log lines. All other lines are rare, and are warnings.
    static func level(of line: Substring) -> Logger.Level {
        let causedByClients = [
            "Error processing request", "Closing connection", "Connection was closed", "Connection socket is closed",
            "Socket has been disconnected", "Failed to send", "Failed to parse", "Too large value", "Too late",
            "Received HTTP/1.1 request without", "Not enough memory in pool", "Application reported internal error",
            "Invalid", "Server reached connection limit", "Error while",
        ]
        return causedByClients.contains { line.hasPrefix($0) } ? .debug : .warning
    }
}
