import Glibc

/// The descriptor of the log; its methods block, so only the log's thread calls them.
struct LogDescriptor {
    private let descriptor: Int32
    /// True after a line that was written in part.
    private var isMidLine = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes whole lines, and returns the number of those that were not written to their end.
    ///
    /// If the descriptor fails, the next batch tries again: space is freed, and a named pipe may get another reader.
    mutating func write(_ lines: [UInt8]) -> Int {
        guard !lines.isEmpty else { return 0 }
        if isMidLine, writeAll([UInt8(ascii: "\n")]) == 1 { isMidLine = false }
        let written = isMidLine ? 0 : writeAll(lines)
        if written > 0 { isMidLine = lines[written - 1] != UInt8(ascii: "\n") }
        return lines[written...].count { $0 == UInt8(ascii: "\n") }
    }

    /// Writes all bytes, or fewer if the descriptor fails; returns the number of bytes written.
    private func writeAll(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count {
                let unwritten = UnsafeRawBufferPointer(rebasing: buffer[position...])
                let written = Glibc.write(descriptor, unwritten.baseAddress, unwritten.count)
                if written > 0 {
                    position += written
                } else if written == 0 {
                    // Some devices write nothing and report no error; repeating the call would not end.
                    return position
                } else if errno == EAGAIN {
                    guard isWritable() else { return position }
                } else if errno != EINTR {
                    return position
                }
            }
            return position
        }
    }

    /// Waits until a non-blocking descriptor can be written.
    private func isWritable() -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&poller, 1, -1) < 0 {
            if errno != EINTR { return false }
        }
        // With POLLERR or POLLHUP the next write(2) reports the error.
        return true
    }
}
