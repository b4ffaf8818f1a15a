import Glibc

/// The standard output of a command that prints and ends.
enum StandardOutput {
    /// Writes a whole text.
    ///
    /// A reader that has closed its end, such as head(1), wants no more of it.
    ///
    /// - Throws: `CommandFailure` with exit status 74, such as for a full disk.
    static func print(_ text: String) throws(CommandFailure) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EPIPE { return }
            guard count > 0 || errno == EINTR else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure(status: 74, message: "standard output: \(reason)")  // EX_IOERR
            }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
