import FakeLibrary
import HTTPExchange
import HTTPTypes
import Logging
import MicroHTTPServer
import Photos
import Primitives
import TestSupport
import Testing

@testable import UnsplashClient

/// Tests clients with their own sockets, and a library that hangs.
@Suite("Clients that disconnect from pictures", .serialized, .timeLimit(.minutes(2)))
struct PictureCancellationTests {
    @Test("a transfer continues while one of 300 clients is connected, and ends after the last")
    func leaving() async throws {
        // The time-outs are long, so that nothing else ends the transfer.
        let timeouts = TransferTimeouts(firstByte: .seconds(60), idle: .seconds(60), total: .seconds(60))
        try await LibraryFixture.with(timeouts: timeouts) { fixture in
            let configuration = Server.Configuration(host: "127.0.0.1", port: 0)
            let server = Server(configuration: configuration, responder: fixture.application, logger: .silent)
            let port = try server.start().port
            let ids = try await fixture.get("/v1/photos?limit=5").ids()
            fixture.library.faults.add(Fault(.hangBefore, on: .images))
            let target = "/v1/photos/\(ids[0])/image/regular"
            let clients = try (0..<300).map { number in
                let client = try RawConnection(port: port)
                try client.send("GET \(target)?ixid=\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
                return client
            }
            let library = fixture.library
            try await waitUntil { fixture.service.waiters == 300 && library.counts.inFlight == 1 }
            for client in clients.dropLast() { client.close() }
            try await waitUntil { fixture.service.waiters == 1 }
            // Longer than the linger, so that a cancelled transfer would have ended.
            try await Task.sleep(for: .milliseconds(150))
            #expect(library.counts.inFlight == 1 && library.counts.abortedDownloads == 0)
            let start = ContinuousClock.now
            clients.last?.close()
            try await waitUntil { library.counts.inFlight == 0 }
            let time = ContinuousClock.now - start
            #expect(library.counts.imageRequests == 1 && library.counts.abortedDownloads == 1)
            print("a transfer ends \(time) after its last client")
            #expect(time >= .milliseconds(100), "the linger is for clients that come right back")
            #expect(fixture.service.status.imageLoads.cancelled == 1)
            fixture.library.faults.clear()
            #expect(try await fixture.get(target).status == .ok)
            await server.drain()
        }
    }
}
