import ArgumentParser
import Dispatch
import Glibc
import MicroHTTPServer

/// The start of the process.
///
/// `main` is synchronous. Before the first line of an asynchronous `main` the concurrency library opens descriptors,
/// and if standard output is closed, one of them takes its number.
@main
enum EntryPoint {
    static func main() {
        StandardStreams.open()
        // If the reader of standard output or of a connection closes it, write(2) fails and the process continues.
        signal(SIGPIPE, SIG_IGN)
        Allocator.prepare()
        Task {
            await Springbar.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

/// Standard input, output and error.
enum StandardStreams {
    /// Opens /dev/null for each that is closed.
    ///
    /// A new descriptor gets the lowest free number. If that is 1, log lines would go into a socket or an epoll.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // This number is the lowest free one, because those below are open.
            let mode = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY
            if Glibc.open("/dev/null", mode) < 0 {
                // Without /dev a descriptor that cannot be written takes the number.
                _ = Glibc.open("/", O_RDONLY)
            }
        }
    }
}
