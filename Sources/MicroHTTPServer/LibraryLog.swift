import CMicroHTTPD
import Logging

/// Writes the library's own log to a logger.
///
/// The library passes a format and a `va_list` to a callback; the shim formats the line and passes it on. The library
/// keeps the address of the C structure, which refers to this object, so the object must outlive the daemon.
final class LibraryLog {
    let pointer = UnsafeMutablePointer<microhttpd_log>.allocate(capacity: 1)
    private let logger: Logger

    /// A sink for `logger`, to be kept until the daemon has stopped.
    init(logger: Logger) {
        self.logger = logger
        let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, line in
            guard let context, let line else { return }
            Unmanaged<LibraryLog>.fromOpaque(context).takeUnretainedValue().write(String(cString: line))
        }
        pointer.initialize(to: microhttpd_log(write: write, context: Unmanaged.passUnretained(self).toOpaque()))
    }

    deinit {
        pointer.deallocate()
    }

    private func write(_ line: String) {
        var line = line[...]
        while line.last?.isWhitespace == true { line.removeLast() }
        let message = Logger.Message(stringLiteral: String(line))
        logger.log(level: Self.level(of: line), message, metadata: ["source": "libmicrohttpd"])
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
