import FakeLibrary
import Foundation
import HTTPExchange
import TestSupport
import Testing

/// The fake library on a loopback port.
struct RunningLibrary: Sendable {
    let library: LibraryServer
    let port: Int

    /// Runs `body` with a listening library on a thread that it may block, and always stops the library.
    static func run(
        _ change: (inout LibraryServer.Configuration) -> Void = { _ in },
        _ body: @Sendable (RunningLibrary) async throws -> Void
    ) async throws {
        var configuration = LibraryServer.Configuration()
        configuration.now = { 1_733_743_200 }
        change(&configuration)
        let library = LibraryServer(configuration)
        do {
            try await blocking { try await body(RunningLibrary(starting: library)) }
        } catch {
            await library.stop()
            throw error
        }
        await library.stop()
    }

    init(starting library: LibraryServer) throws {
        self.library = library
        port = try #require(try library.start().split(separator: ":").last.flatMap { Int($0) })
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

    /// Returns the photos of a list.
    func photos(_ target: String = "/photos") throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(get(target).content))
        return try #require(
            document as? [[String: Any]] ?? (document as? [String: Any])?["results"] as? [[String: Any]]
        )
    }

    func ids(_ target: String = "/photos") throws -> [String] { try photos(target).compactMap { $0["id"] as? String } }

    /// Returns the target of a thumbnail from a list.
    func thumb() throws -> String {
        let url = try #require((photos()[0]["urls"] as? [String: String])?["thumb"])
        return String(url.dropFirst("http://127.0.0.1:\(port)".count))
    }

    /// Waits until the counts have the expected values, because the server detects some events only after a while.
    func counts(within limit: Duration = .seconds(5), _ isRight: (LibraryCounts) -> Bool) async throws -> LibraryCounts
    {
        let end = ContinuousClock.now + limit
        while !isRight(library.counts), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        return library.counts
    }
}
