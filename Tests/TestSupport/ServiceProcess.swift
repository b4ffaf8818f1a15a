package import Foundation

/// Runs the built `springbar` command as a process, for tests of signals, exit statuses, the environment and the wire.
///
/// The process is killed by its id at the end of the test.
package final class ServiceProcess: Sendable {
    package enum Failure: Error {
        case didNotListen(output: String)
        case didNotEnd
    }

    /// The port of the service.
    package let port: Int

    private let process: RunningProcess

    /// Starts `springbar serve` on a free port and waits until it reports that it listens.
    ///
    /// `launcher` is a command that replaces itself by the command in its arguments, as taskset(1) does.
    package init(
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        launcher: [String] = [],
        within limit: Duration = .seconds(20)
    ) throws {
        let command = launcher + [Self.binary.path, "serve", "--port", "0", "--log-format", "json"] + arguments
        process = try RunningProcess(
            URL(fileURLWithPath: command[0]),
            Array(command.dropFirst()),
            environment: environment
        )
        let line = process.waitForLine(within: limit) { $0.contains(#""message":"listening""#) }
        guard let line, let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let port = record["port"] as? Int
        else {
            process.kill()
            throw Failure.didNotListen(output: process.output)
        }
        self.port = port
    }

    deinit {
        process.kill()
    }

    package var identifier: Int32 { process.identifier }

    /// Everything written so far to both streams.
    package var output: String { process.output }

    package func send(signal: Int32) {
        process.send(signal: signal)
    }

    /// Returns the exit status, or minus the signal that ended the process.
    package func waitForEnd(within limit: Duration) throws -> Int32 {
        guard let status = process.waitForEnd(within: limit) else { throw Failure.didNotEnd }
        return status
    }

    /// Waits for a line of output that fulfils `condition`.
    package func waitForLine(within limit: Duration, _ condition: (String) -> Bool) -> String? {
        process.waitForLine(within: limit, condition)
    }

    /// The command that `SPRINGBAR_BINARY` names, such as an optimised one.
    ///
    /// The default is the one beside the test bundle.
    package static var binary: URL {
        if let path = ProcessInfo.processInfo.environment["SPRINGBAR_BINARY"] { return URL(fileURLWithPath: path) }
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("springbar")
    }

    /// Runs the command to its end and returns its exit status and its output.
    ///
    /// `launcher` is as in `init`.
    package static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        launcher: [String] = [],
        within limit: Duration = .seconds(20)
    ) throws -> (status: Int32, output: String) {
        let command = launcher + [binary.path] + arguments
        let process = try RunningProcess(
            URL(fileURLWithPath: command[0]),
            Array(command.dropFirst()),
            environment: environment
        )
        guard let status = process.waitForEnd(within: limit) else {
            process.kill()
            throw Failure.didNotEnd
        }
        return (status, process.output)
    }
}
