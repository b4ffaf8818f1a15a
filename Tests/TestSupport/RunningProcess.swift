package import Foundation
import Glibc
import Primitives
import Synchronization

/// A child process that writes its output to a file.
///
/// It uses posix_spawn(3) and polling instead of Foundation's `Process` and its handlers. Those need free threads of
/// Dispatch, which blocking tests may have used up. They also need pipes, which another child may keep open.
package final class RunningProcess: Sendable {
    package enum Failure: Error {
        case notStarted(errno: Int32)
    }

    private let identifier: Int32
    /// The file has no name, so no other process can open it.
    private let file: Int32
    private let status = Lock<Int32?>(nil)

    /// Starts `executable`.
    ///
    /// It inherits only PATH, HOME and LD_LIBRARY_PATH from the environment.
    package init(_ executable: URL, _ arguments: [String], environment: [String: String]) throws {
        var template = Array("/tmp/springbar-test-XXXXXX".utf8CString)
        file = mkstemp(&template)
        guard file >= 0 else { throw Failure.notStarted(errno: errno) }
        unlink(template)
        // Both streams append to the file, and no other child inherits it.
        _ = fcntl(file, F_SETFL, O_APPEND)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, file, STDERR_FILENO)

        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key)
        }
        let variables = inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let words = ([executable.path] + arguments).map { strdup($0) } + [nil]
        let pairs = variables.map { strdup($0) } + [nil]
        defer { for text in words + pairs { free(text) } }
        var identifier: pid_t = 0
        let fault = posix_spawn(&identifier, executable.path, &actions, nil, words, pairs)
        self.identifier = identifier
        guard fault == 0 else { throw Failure.notStarted(errno: fault) }
    }

    deinit {
        close(file)
    }

    /// Everything written so far to both streams.
    package var output: String {
        var information = stat()
        fstat(file, &information)
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
        let count = pread(file, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    package func send(signal: Int32) {
        if !hasEnded { Glibc.kill(identifier, signal) }
    }

    /// Kills the process if it still runs, and reaps it.
    package func kill() {
        send(signal: SIGKILL)
        _ = waitForEnd(within: .seconds(5))
    }

    /// Returns the exit status, or minus the signal that ended the process; nil if it still runs after `limit`.
    package func waitForEnd(within limit: Duration) -> Int32? {
        wait(within: limit) { hasEnded ? status.withLock { $0 } : nil }
    }

    /// Returns a whole line of output that fulfils `condition`; nil if there is none after `limit` or at the end.
    package func waitForLine(within limit: Duration, _ condition: (String) -> Bool) -> String? {
        wait(within: limit) {
            let isOver = hasEnded
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            if let line = lines.first(where: condition) { return .some(.some(line)) }
            return isOver ? .some(nil) : nil
        } ?? nil
    }

    /// Whether the process has ended; its status is then known.
    private var hasEnded: Bool {
        status.withLock { status in
            if status != nil { return true }
            var word: Int32 = 0
            guard waitpid(identifier, &word, WNOHANG) == identifier else { return false }
            // wait(2): the low seven bits are the signal, 0 for an ordinary exit; the next byte is the exit status.
            status = word & 0x7F == 0 ? (word >> 8) & 0xFF : -(word & 0x7F)
            return true
        }
    }

    private func wait<Result>(within limit: Duration, _ find: () -> Result?) -> Result? {
        let end = ContinuousClock.now + limit
        while true {
            if let result = find() { return result }
            if ContinuousClock.now > end { return nil }
            usleep(5000)
        }
    }
}
