import Glibc

/// The descriptor that log lines are written to.
///
/// Its methods block while the reader does not read, so only the log's thread calls them.
struct LogDescriptor {
    let descriptor: Int32
    /// True after a line that was written in part.
    private var isMidLine = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes whole lines.
    ///
    /// If the descriptor fails (a full disk, a closed pipe), the next batch tries again: space is freed, and a named
    /// pipe may get another reader.
    ///
    /// - Returns: the number of lines that were not written to their end.
    mutating func write(_ lines: [UInt8]) -> Int {
        guard !lines.isEmpty else { return 0 }
        if isMidLine {
            guard writeAll([UInt8(ascii: "\n")]) == 1 else { return count(lines[...]) }
            isMidLine = false
        }
        let written = writeAll(lines)
        let rest = lines[written...]
        isMidLine = !rest.isEmpty && written > 0 && lines[written - 1] != UInt8(ascii: "\n")
        return count(rest)
    }

    private func count(_ lines: ArraySlice<UInt8>) -> Int {
        lines.count { $0 == UInt8(ascii: "\n") }
    }

    /// Writes all bytes, or fewer if the descriptor fails; returns the number of bytes written.
    private func writeAll(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[position...])
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
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
