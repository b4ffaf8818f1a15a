import Glibc

/// The three descriptors that every process is expected to have.
enum StandardStreams {
    /// Opens /dev/null in the place of each that is closed.
    ///
    /// The next descriptor that is opened gets the lowest free number. If that is 1, it is a socket or an epoll of ours, and
    /// log lines are written into it.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest free number is this one, since those below are open.
            let mode = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY
            if Glibc.open("/dev/null", mode) < 0 {
                // Without /dev any other descriptor keeps the number taken as well; writing to this one fails.
                _ = Glibc.open("/", O_RDONLY)
            }
        }
    }
}
