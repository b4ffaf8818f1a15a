import Dispatch
import Glibc
import MicroHTTPServer
import SpringbarService

/// The start of the process.
///
/// Before the first line of an asynchronous `main` the concurrency library opens descriptors, and if standard output is
/// closed, one of them takes its number. So `main` is synchronous.
@main
enum EntryPoint {
    static func main() {
        openStandardStreams()
        // If the reader of standard output or of a connection closes it, write(2) fails and the process continues.
        signal(SIGPIPE, SIG_IGN)
        Allocator.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        Task {
            exit(await status(of: arguments))
        }
        dispatchMain()
    }

    /// Runs a command, and returns its exit status; a failure has a message on standard error.
    private static func status(of arguments: [String]) async -> Int32 {
        do {
            try await Springbar.run(arguments)
            return EXIT_SUCCESS
        } catch let faults as ConfigurationFaults {
            printError(faults.description)
            return 78  // EX_CONFIG
        } catch let failure as CommandFailure {
            printError(failure.message)
            return failure.status
        } catch {
            printError("\(error)")
            return EXIT_FAILURE
        }
    }

    private static func printError(_ text: String) {
        let line = Array((text.last == "\n" ? text : text + "\n").utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Opens /dev/null for each of standard input, output and error that is closed.
    ///
    /// A new descriptor gets the lowest free number. If that is 1, log lines would go into a socket or an epoll.
    private static func openStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // This number is the lowest free one, because those below are open.
            let mode = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY
            if open("/dev/null", mode) < 0 {
                // Without /dev a descriptor that cannot be written takes the number.
                _ = open("/", O_RDONLY)
            }
        }
    }
}
