import Foundation
import Glibc
import RedisClient
import SharedState
import TestSupport
import Testing

/// The client and a real server.
@Suite("Client of a real server", .timeLimit(.minutes(2)))
struct RealServerTests {
    private func ready(_ url: String, authorities: String? = nil) async throws -> TestClient {
        let client = try TestClient(RedisConfiguration(urls: [RedisURL(url)], authorities: authorities))
        #expect(await client.waitUntilReady() == nil)
        return client
    }

    private func failure(_ url: String, authorities: String? = nil) async throws -> ConnectionFailure? {
        let client = try TestClient(RedisConfiguration(urls: [RedisURL(url)], authorities: authorities))
        return await client.waitUntilReady()
    }

    @Test("A value of five megabytes comes back over a Unix socket, and the connection has a name")
    func commands() async throws {
        let server = try RedisServerProcess()
        let client = try await ready(server.url)
        let large = [UInt8](repeating: 7, count: 5_000_000)
        #expect(await client.send("SET", "large", .bytes(large)) == .success(.status("OK")))
        #expect(await client.send(RedisCommand("GET", key: "large").forValue()) == .success(.string(large)))
        #expect(try await client.client.send(RedisCommand("CLIENT", "GETNAME")).text == "springbar")
    }

    @Test("Commands run on while the server is killed and started again")
    func killed() async throws {
        let server = try RedisServerProcess()
        let client = try await ready(server.url)
        let results = try await withThrowingTaskGroup(of: [RedisError?].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var errors: [RedisError?] = []
                    while errors.count < 5 || errors.suffix(5) != [nil, nil, nil, nil, nil]
                        || client.status.reconnects == 0
                    {
                        if case .failure(let error) = await client.send("INCR", "n") {
                            errors.append(error)
                            if error == .notReady { try await Task.sleep(for: .milliseconds(1)) }
                        } else {
                            errors.append(nil)
                        }
                    }
                    return errors
                }
            }
            try await waitUntil { client.status.commands > 100 }
            try server.restart()
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(results.compactMap { $0 }).isSubset(of: [.notReady, .connectionLost]))
        #expect(client.status.pending == 0)
    }

    @Test("Credentials, the database and permissions are checked at the start")
    func credentials() async throws {
        let rules = ["--requirepass", "secret", "--databases", "2"]
        let server = try RedisServerProcess(rules + ["--user", "reader", "on", ">pw", "~*", "-@all", "+get"])
        let path = server.url.dropFirst("unix://".count)
        #expect(try await failure("unix://:secret@\(path)?db=1") == nil)
        guard case .credentials = try await failure("unix://:wrong@\(path)") else { throw Unexpected() }
        guard case .credentials = try await failure("unix://nobody:secret@\(path)") else { throw Unexpected() }
        guard case .credentials = try await failure(server.url) else { throw Unexpected() }
        guard case .database = try await failure("unix://:secret@\(path)?db=2") else { throw Unexpected() }
        guard case .permission = try await failure("unix://reader:pw@\(path)") else { throw Unexpected() }
        let open = try RedisServerProcess()
        let openPath = open.url.dropFirst("unix://".count)
        guard case .credentials = try await failure("unix://:secret@\(openPath)") else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    // MARK: TCP and TLS

    @Test("A host is looked up, and its addresses are tried")
    func host() async throws {
        let port = RedisServerProcess.freePort()
        let server = try RedisServerProcess(["--port", "\(port)", "--bind", "127.0.0.1"])
        let client = try await ready("redis://localhost:\(port)")
        #expect(await client.send("PING") == .success(.status("PONG")))
        withExtendedLifetime(server) {}
    }

    @Test("A TLS connection needs a certificate of a trusted authority for the host of the URL")
    func tls() async throws {
        let folder = URL(fileURLWithPath: "/tmp/redis-\(UUID().uuidString.prefix(8))")
        let port = RedisServerProcess.freePort()
        let files = try Certificates(in: folder, names: "IP:127.0.0.1")
        let server = try RedisServerProcess(
            [
                "--tls-port", "\(port)", "--tls-cert-file", files.certificate, "--tls-key-file", files.key,
                "--tls-ca-cert-file", files.authority, "--tls-auth-clients", "no", "--bind", "127.0.0.1",
            ],
            in: folder
        )
        let client = try await ready("rediss://127.0.0.1:\(port)", authorities: files.authority)
        let large = [UInt8](repeating: 7, count: 1_900_000)
        #expect(await client.send("SET", "large", .bytes(large)) == .success(.status("OK")))
        #expect(await client.send(RedisCommand("GET", key: "large").forValue()) == .success(.string(large)))
        let events = Received()
        _ = client.client.watch("a") { events.append($0) }
        try await waitUntil { events.all == [.ready] }
        _ = await client.send("SPUBLISH", "a", .bytes(large))
        try await waitUntil { events.all == [.ready, .written(large)] }

        let untrusted = try await failure("rediss://127.0.0.1:\(port)")
        let otherName = try await failure("rediss://localhost:\(port)", authorities: files.authority)
        for failure in [untrusted, otherName] {
            guard case .tls = failure else { throw Unexpected() }
        }
        #expect(otherName?.description.contains("mismatch") == true)
        // A server with TLS closes a plain connection; that may also be a restart, so the client tries again.
        let plain = try TestClient("redis://127.0.0.1:\(port)")
        try await waitUntil { plain.failure == .closed }
        withExtendedLifetime(server) {}
    }

    @Test("A file without certificates is refused")
    func authorities() throws {
        #expect(throws: ConnectionFailure.self) { try TLSContext(authorities: "/dev/null") }
        #expect(throws: ConnectionFailure.self) { try TLSContext(authorities: "/nowhere") }
    }
}

/// An authority of its own and a certificate that it signed, made with openssl(1) in a folder.
private struct Certificates {
    let authority: String
    let certificate: String
    let key: String

    struct Failure: Error {
        let output: String
    }

    init(in folder: URL, names: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        authority = path("ca.pem")
        certificate = path("server.pem")
        key = path("server.key")
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        try Self.openssl(["req", "-x509", "-subj", "/CN=Test", "-keyout", path("ca.key"), "-out", authority] + curve)
        try Self.openssl(
            ["req", "-x509", "-subj", "/CN=Redis", "-addext", "subjectAltName=\(names)", "-keyout", key]
                + ["-out", certificate, "-CA", authority, "-CAkey", path("ca.key")] + curve
        )
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = try RunningProcess(URL(fileURLWithPath: "/usr/bin/openssl"), arguments, environment: [:])
        guard process.waitForEnd(within: .seconds(20)) == 0 else { throw Failure(output: process.output) }
    }
}
