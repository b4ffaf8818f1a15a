import Glibc

/// The descriptor that log lines are written to, and what is known about its last line.
///
/// Its methods block for as long as the other end does not take what is written, so they belong to the log's own thread.
struct LogDescriptor {
    let descriptor: Int32
    /// True after a line whose end could not be written.
    private var isMidLine = false

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes whole lines.
    ///
    /// A descriptor that refuses them (a full disk, a reader that went away) is asked again with the next batch: disks are
    /// emptied, and a named pipe may get another reader.
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

    /// Writes until everything is written or the descriptor refuses; returns how many bytes it took.
    private func writeAll(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { buffer in
            var position = 0
            while position < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[position...])
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    position += written
                } else if written == 0 {
                    // write(2) takes nothing and names no error for some devices; asking again at once would not end.
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

    /// Waits until a descriptor that does not block, such as a pipe that a parent process has set so, takes more.
    private func isWritable() -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while poll(&poller, 1, -1) < 0 {
            if errno != EINTR { return false }
        }
        // With POLLERR or POLLHUP the next write(2) names the error.
        return true
    }
}
