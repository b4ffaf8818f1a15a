package import Foundation

/// The built `springbar` command as a process of its own, for what only a process shows: signals, exit statuses, the
/// environment, the wire.
///
/// It is stopped by its own id when the test is over.
package final class ServiceProcess: Sendable {
    package enum Failure: Error {
        case didNotListen(output: String)
        case didNotEnd
    }

    /// The port it listens on.
    package let port: Int

    private let process: RunningProcess

    /// Starts `springbar serve` on a free port and waits until it says that it listens.
    ///
    /// `launcher` is a command that turns itself into the one behind it, as taskset(1) does.
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

    /// Everything it has written, both streams.
    package var output: String { process.output }

    package func send(signal: Int32) {
        process.send(signal: signal)
    }

    /// The exit status, or minus the signal that ended it.
    package func waitForEnd(within limit: Duration) throws -> Int32 {
        guard let status = process.waitForEnd(within: limit) else { throw Failure.didNotEnd }
        return status
    }

    /// Waits for a line of output that fulfils `condition`.
    package func waitForLine(within limit: Duration, _ condition: (String) -> Bool) -> String? {
        process.waitForLine(within: limit, condition)
    }

    /// The command that `SPRINGBAR_BINARY` names, such as an optimised one; else the one beside the test bundle.
    package static var binary: URL {
        if let path = ProcessInfo.processInfo.environment["SPRINGBAR_BINARY"] { return URL(fileURLWithPath: path) }
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("springbar")
    }

    /// Runs the command to its end and gives its exit status and all of its output; `launcher` is as above.
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
