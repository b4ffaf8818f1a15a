import Foundation
import Glibc
import PhotoLibrary
import TestSupport
import Testing
import UnsplashClient

/// Tests the client with a library behind TLS, `Tests/Upstream/tls_library.py`, which creates its own authority.
@Suite("UnsplashClient over TLS", .serialized, .timeLimit(.minutes(1)))
struct TLSTests {
    /// The library as a process; it is stopped by its own id.
    private final class Library {
        enum Failure: Error {
            case didNotListen(output: String)
        }

        let port: Int
        /// The file with the certificate of its authority.
        let authority: String
        private let process: RunningProcess

        init(offering protocols: String...) throws {
            let script = Checkout.file("Tests/Upstream/tls_library.py")
            let python = URL(fileURLWithPath: "/usr/bin/env")
            process = try RunningProcess(python, ["python3", script.path] + protocols, environment: [:])
            let line = process.waitForLine(within: .seconds(20)) { $0.hasPrefix("{") }
            guard let line, let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let port = record["port"] as? Int, let authority = record["authority"] as? String
            else {
                process.kill()
                throw Failure.didNotListen(output: process.output)
            }
            self.port = port
            self.authority = authority
        }

        deinit {
            process.send(signal: SIGTERM)
            if process.waitForEnd(within: .seconds(5)) == nil { process.kill() }
        }

        /// Waits until the library has printed a line a number of times.
        func has(said line: String, times: Int = 1) -> Bool {
            process.waitForLine(within: .seconds(10)) { [process] last in
                last == line && process.output.split(separator: "\n").count { $0 == line } >= times
            } != nil
        }

        /// Returns the number of times that the library has printed a line.
        func count(of line: String) -> Int { process.output.split(separator: "\n").count { $0 == line } }
    }

    private func client(_ library: Library, host: String = "127.0.0.1", trusts authority: String?) throws
        -> UnsplashClient
    {
        var access = UnsplashClient.Configuration(accessKey: "k", apiURL: "https://\(host):\(library.port)")
        access.imageHosts = ["\(host):\(library.port)"]
        access.authorities = authority
        return try UnsplashClient(access, logger: .silent)
    }

    @Test("a certificate of an untrusted authority is refused before a request is sent")
    func untrusted() async throws {
        let library = try Library(offering: "h2", "http/1.1")
        let client = try client(library, trusts: nil)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos") } == .failed(.tls))
        #expect(library.has(said: "refused TLSV1_ALERT_UNKNOWN_CA"))
        #expect(library.count(of: "request h2") == 0)
    }

    @Test("a certificate for another name is refused, even if its authority is trusted")
    func otherName() async throws {
        let library = try Library(offering: "h2", "http/1.1")
        let client = try client(library, host: "localhost", trusts: library.authority)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos") } == .failed(.tls))
        #expect(library.count(of: "request h2") == 0)
    }

    @Test("HTTP/2 is used if it is offered, and concurrent requests share one connection")
    func http2() async throws {
        let library = try Library(offering: "h2", "http/1.1")
        let client = try client(library, trusts: library.authority)
        defer { client.stop() }
        let pages = await withTaskGroup(of: LibraryAnswer?.self) { group in
            for number in 1...20 { group.addTask { try? await client.get("/photos?page=\(number)&per_page=30") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pages.allSatisfy { $0?.content == Array("[]".utf8) })
        #expect(library.has(said: "request h2", times: 20))
        #expect(library.count(of: "connection h2") == 1)
    }

    @Test("HTTP/1.1 is used if only it is offered, and its connection is kept")
    func http1() async throws {
        let library = try Library(offering: "http/1.1")
        let client = try client(library, trusts: library.authority)
        defer { client.stop() }
        for number in 1...3 { _ = try await client.get("/photos?page=\(number)&per_page=30") }
        #expect(library.has(said: "request http/1.1", times: 3))
        #expect(library.count(of: "connection http/1.1") == 1)
    }

    @Test("a response that no request has asked for is not taken for the next one")
    func extraResponse() async throws {
        let library = try Library(offering: "--extra", "http/1.1")
        let client = try client(library, trusts: library.authority)
        defer { client.stop() }
        for number in 1...3 {
            let collector = Collector()
            try await client.picture(at: "https://127.0.0.1:\(library.port)/picture", into: collector)
            #expect(collector.bytes == Array("[]".utf8))
            #expect(library.has(said: "extra", times: number))
        }
        #expect(library.count(of: "connection http/1.1") == 3)
    }
}
