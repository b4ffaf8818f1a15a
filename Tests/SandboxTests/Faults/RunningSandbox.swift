import HTTPExchange
import Sandbox
import TestSupport
import Testing

/// A sandbox on a loopback port.
struct RunningSandbox: Sendable {
    let sandbox: SandboxLibrary
    let port: Int

    /// Runs `body` with a listening sandbox on a thread that it may block, and always stops the sandbox.
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
        let address = try "\(sandbox.start())"
        self.sandbox = sandbox
        port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
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

    /// Sends one request on a new connection.
    func get(_ target: String, key: String? = "k") throws -> RawResponse {
        try connect().exchange(request(target, key: key))
    }

    /// Returns the target of a thumbnail from a list.
    func thumb() async throws -> String {
        let photo = try #require(try await sandbox.ask("/photos", host: "h").list().first)
        let urls = try JSONShape.object(photo["urls"])
        return String(try JSONShape.text(urls["thumb"]).dropFirst("http://h".count))
    }

    /// Waits until the counts have the expected values, because the server detects some events only after a while.
    func counts(within limit: Duration = .seconds(5), _ isRight: (SandboxCounts) -> Bool) async throws -> SandboxCounts
    {
        let end = ContinuousClock.now + limit
        while !isRight(sandbox.counts), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        return sandbox.counts
    }
}
