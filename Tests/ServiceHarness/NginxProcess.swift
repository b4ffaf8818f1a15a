import Foundation
import TestSupport

/// nginx with the configuration of docs/nginx.conf, in front of one server.
///
/// It is stopped by its process id.
package final class NginxProcess: Sendable {
    enum Failure: Error {
        case didNotStart(output: String)
        /// A line of docs/nginx.conf that this type replaces is not there.
        case isChanged(line: String)
    }

    let port: Int
    private let folder: URL
    private let process: RunningProcess

    init(before upstream: Int) throws {
        port = RedisServerProcess.freePort()
        folder = URL(fileURLWithPath: "/tmp/nginx-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var text = try Checkout.text("docs/nginx.conf").replacing(" /tmp/", with: " \(folder.path)/")
        for (line, replacement) in [
            ("listen 8080;", "listen 127.0.0.1:\(port);"),
            ("server replica-1:8080 ", "server 127.0.0.1:\(upstream) "),
            ("server replica-2:8080 ", "server 127.0.0.1:\(upstream) "),
        ] {
            guard text.contains(line) else { throw Failure.isChanged(line: line) }
            text = text.replacing(line, with: replacement)
        }
        let file = folder.appendingPathComponent("nginx.conf")
        try text.write(to: file, atomically: true, encoding: .utf8)
        process = try RunningProcess(
            URL(fileURLWithPath: Self.binary),
            // A worker would survive its killed master.
            ["-p", folder.path, "-c", file.path, "-e", "stderr", "-g", "daemon off; master_process off;"],
            environment: [:]
        )
        let port = port
        guard eventually({ (try? RawConnection(port: port)) != nil }) else {
            process.kill()
            throw Failure.didNotStart(output: process.output)
        }
    }

    deinit {
        kill()
    }

    func kill() {
        process.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: binary) }

    private static let binary = "/usr/sbin/nginx"
}
