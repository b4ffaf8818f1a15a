import FakeLibrary
import HTTPExchange
import HTTPTypes
import Logging
import MicroHTTPServer
import Photos
import Primitives
import TestSupport
import Testing
import UnsplashClient

/// Tests clients with their own sockets, and a library that hangs.
@Suite("Clients that disconnect from pictures", .serialized, .timeLimit(.minutes(2)))
struct PictureCancellationTests {
    /// Returns the time from the disconnection of a transfer's last client to the end of the transfer at the library.
    ///
    /// All but one of `count` clients disconnect first, and the transfer must continue.
    private func timeToEnd(
        _ fixture: LibraryFixture,
        port: Int,
        target: String,
        clients count: Int
    ) async throws -> Duration {
        let before = fixture.library.counts
        let clients = try (0..<count).map { number in
            let client = try RawConnection(port: port)
            try client.send("GET \(target)?ixid=\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
            return client
        }
        try await wait { fixture.service.waiters == count && fixture.library.counts.inFlight == 1 }
        for client in clients.dropLast() { client.close() }
        try await wait { fixture.service.waiters == 1 }
        // Longer than the linger, so that a cancelled transfer would have ended.
        try await Task.sleep(for: .milliseconds(150))
        #expect(fixture.library.counts.inFlight == 1)
        #expect(fixture.library.counts.abortedDownloads == before.abortedDownloads)
        let start = ContinuousClock.now
        clients.last?.close()
        try await wait { fixture.library.counts.inFlight == 0 }
        let time = ContinuousClock.now - start
        #expect(fixture.library.counts.imageRequests == before.imageRequests + 1)
        #expect(fixture.library.counts.abortedDownloads == before.abortedDownloads + 1)
        return time
    }

    /// Polls every millisecond, for at most 20 seconds: nothing else ends a transfer within a minute.
    private func wait(_ condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !condition() {
            try #require(ContinuousClock.now < end, "it does not come to pass")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test("a transfer continues while one of 300 clients is connected, and ends after the last")
    func leaving() async throws {
        // The time-outs are long, so that nothing else ends the transfer.
        let timeouts = TransferTimeouts(firstByte: .seconds(60), idle: .seconds(60), total: .seconds(60))
        try await LibraryFixture.with(timeouts: timeouts) { fixture in
            let quiet = Logger.silent
            let server = Server(
                configuration: Server.Configuration(host: "127.0.0.1", port: 0),
                responder: fixture.application,
                logger: quiet
            )
            let port = try server.start().port
            let ids = try await fixture.get("/v1/photos?limit=5").ids()
            fixture.library.faults.add(Fault(.hangBefore, on: .images))
            let target = "/v1/photos/\(ids[0])/image/regular"
            let time = try await timeToEnd(fixture, port: port, target: target, clients: 300)
            print("a transfer ends \(time) after its last client")
            #expect(time >= .milliseconds(100), "the linger is for clients that come right back")
            #expect(fixture.service.status.imageLoads.cancelled == 1)
            fixture.library.faults.clear()
            #expect(try await fixture.get("/v1/photos/\(ids[0])/image/regular").status == .ok)
            await server.drain()
        }
    }
}
