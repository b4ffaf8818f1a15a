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
