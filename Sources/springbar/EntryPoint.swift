import ArgumentParser
import Dispatch
import Glibc

/// The start of the process.
///
/// `main` is not asynchronous: before the first line of one that is, the concurrency library has opened descriptors of its
/// own, and one of them would be standard output if that is closed.
@main
enum EntryPoint {
    static func main() {
        StandardStreams.open()
        // A reader of our output that goes away, or of a connection, is an error of write(2) and not the end of the
        // process.
        signal(SIGPIPE, SIG_IGN)
        Task {
            await Springbar.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

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
