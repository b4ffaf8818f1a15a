package import Foundation

/// Runs the built `springbar` command as a process, for tests of clients.
///
/// `Tests/Harness` does so for the tests of the process itself. The process is killed by its id at the end of the test.
package final class ServiceProcess: Sendable {
    package struct DidNotListen: Error {
        let output: String
    }

    /// The address of the service.
    package let address: URL

    private let process: RunningProcess

    /// Starts `springbar serve` on a free port and waits until it reports that it listens.
    package init() throws {
        process = try RunningProcess(Self.binary, ["serve", "--port", "0"], environment: [:])
        let line = process.waitForLine(within: .seconds(20)) { $0.contains(#""message":"listening""#) }
        guard let line, let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let port = record["port"] as? Int, let address = URL(string: "http://127.0.0.1:\(port)")
        else {
            process.kill()
            throw DidNotListen(output: process.output)
        }
        self.address = address
    }

    deinit {
        process.kill()
    }

    /// The command that `SPRINGBAR_BINARY` names, such as an optimised one.
    ///
    /// The default is the one beside the test bundle.
    private static var binary: URL {
        if let path = ProcessInfo.processInfo.environment["SPRINGBAR_BINARY"] { return URL(fileURLWithPath: path) }
        return Checkout.products.appendingPathComponent("springbar")
    }
}
