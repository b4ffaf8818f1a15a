import HTTPExchange
import TestSupport
import Testing

@testable import Sandbox

/// A sandbox on a loopback port.
struct RunningSandbox: Sendable {
    let sandbox: SandboxLibrary
    let port: Int

    /// Runs `body` with a sandbox that listens, where it may block, and stops it whatever happens.
    static func run(
        _ change: (inout SandboxLibrary.Configuration) -> Void = { _ in },
        _ body: @Sendable (RunningSandbox) async throws -> Void
    ) async throws {
        let sandbox = SandboxLibrary(clock: ManualClock(), change)
        do {
            try await blocking { try await body(RunningSandbox(starting: sandbox)) }
        } catch {
            await sandbox.stop()
            throw error
        }
        await sandbox.stop()
    }

    init(starting sandbox: SandboxLibrary) throws {
        _ = try sandbox.start()
        self.sandbox = sandbox
        port = try #require(sandbox.authority?.split(separator: ":").last.flatMap { Int($0) })
    }

    /// A request line and fields as a proxy sends them.
    func request(_ target: String, key: String? = "k", method: String = "GET", content: String = "") -> String {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        if let key { text += "Authorization: Client-ID \(key)\r\n" }
        if !content.isEmpty { text += "Content-Type: application/json\r\nContent-Length: \(content.utf8.count)\r\n" }
        return text + "\r\n" + content
    }

    func connect() throws -> RawConnection {
        try RawConnection(port: port)
    }

    /// One request on a connection of its own.
    func get(_ target: String, key: String? = "k") throws -> RawResponse {
        try connect().exchange(request(target, key: key))
    }

    /// The target of a thumbnail, as a list has it.
    func thumb() async throws -> String {
        let photo = try #require(try await sandbox.ask("/photos", host: "h").list().first)
        let urls = try JSONShape.object(photo["urls"])
        return String(try JSONShape.text(urls["thumb"]).dropFirst("http://h".count))
    }

    /// Waits until the counts are as wanted: what a server notices, it notices soon, but not at once.
    func counts(within limit: Duration = .seconds(5), _ isRight: (SandboxCounts) -> Bool) async throws -> SandboxCounts
    {
        let end = ContinuousClock.now + limit
        while !isRight(sandbox.counts), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        return sandbox.counts
    }
}
