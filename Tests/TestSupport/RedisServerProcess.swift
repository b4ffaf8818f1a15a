package import Foundation
import Glibc
import Network
import Primitives
import Synchronization

/// A real Redis server on a Unix socket in a temporary folder, for tests.
///
/// Debian's package redis-tools has the server as `redis-check-rdb`: the program decides by its name. It is stopped by
/// its process id.
package final class RedisServerProcess: Sendable {
    package enum Failure: Error {
        case didNotStart(output: String)
    }

    /// The folder with the socket and the files of the server; it is removed at the end.
    package let folder: URL
    private let arguments: [String]
    /// The running process, which a restart replaces.
    private let process: Lock<RunningProcess>

    /// Starts a server that stores nothing on disk.
    ///
    /// Later settings replace earlier ones.
    package init(_ settings: [String] = [], in given: URL? = nil) throws {
        // A path of a socket has 107 bytes at most.
        let folder = given ?? URL(fileURLWithPath: "/tmp/redis-\(UUID().uuidString.prefix(8))")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appendingPathComponent("redis-server")
        if !FileManager.default.fileExists(atPath: program.path) {
            try FileManager.default.createSymbolicLink(atPath: program.path, withDestinationPath: Self.binary)
        }
        arguments =
            [
                "--port", "0", "--unixsocket", folder.appendingPathComponent("redis.sock").path, "--dir", folder.path,
                "--save", "", "--appendonly", "no", "--daemonize", "no", "--maxmemory-policy", "noeviction",
            ] + settings
        do {
            process = Lock(try Self.start(program, arguments))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit {
        process.withLock { $0 }.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The URL of the socket.
    package var url: String { "unix://" + folder.appendingPathComponent("redis.sock").path }

    package func send(signal: Int32) {
        process.withLock { $0 }.send(signal: signal)
    }

    /// Kills the server.
    package func kill() {
        process.withLock { $0 }.kill()
    }

    /// Kills the server and starts it again.
    package func restart() throws {
        kill()
        let next = try Self.start(folder.appendingPathComponent("redis-server"), arguments)
        process.withLock { $0 = next }
    }

    /// Whether the server is installed.
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: binary) }

    /// Returns a port of 127.0.0.1 that is free now.
    ///
    /// It lies below those that the system gives to sockets without a port, or another test would get it before the
    /// server binds it (32768 to 60999, `ip_local_port_range` in ip(7)).
    package static func freePort() -> Int {
        while true {
            let port = UInt16.random(in: 10_000..<32_768)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            let address = SocketAddress.lookUp("127.0.0.1", port: port, isNumeric: true).first
            if address?.withPointer({ bind(descriptor, $0, $1) }) == 0 { return Int(port) }
        }
    }

    private static let binary = "/usr/bin/redis-check-rdb"

    private static func start(_ program: URL, _ arguments: [String]) throws -> RunningProcess {
        let process = try RunningProcess(program, arguments, environment: [:])
        guard process.waitForLine(within: .seconds(20), { $0.contains("eady to accept connections") }) != nil else {
            process.kill()
            throw Failure.didNotStart(output: process.output)
        }
        return process
    }
}
