import CMicroHTTPD
import Logging

/// The library's own log, as lines of ours.
///
/// The library writes where it is told through a `va_list` callback; the shim formats the line and hands it here. The
/// sink is a C structure that the library holds by address, so this object must outlive the daemon.
final class LibraryLog {
    private let sink: UnsafeMutablePointer<microhttpd_log>

    /// A sink for `logger`, to be kept until the daemon has stopped.
    init(logger: Logger) {
        sink = .allocate(capacity: 1)
        sink.initialize(
            to: microhttpd_log(
                write: { context, line in
                    // `!`: the context is what was given two lines below, and the shim never passes a null line.
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

    /// The address that the library is given.
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

    /// What a line is worth.
    ///
    /// The library has no levels. What a client can cause with a few bytes is for debugging, or a flood of bad requests
    /// would be a flood of log lines; everything else is rare and about us.
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
