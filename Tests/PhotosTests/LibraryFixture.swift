import FakeLibrary
import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import TestSupport

@testable import UnsplashClient

/// The whole photo part with the fake library: libcurl, real HTTP and real faults.
struct LibraryFixture {
    let library: LibraryServer
    let client: UnsplashClient
    let service: PhotoService
    let application: Application

    private init(photos: Int, timeouts: TransferTimeouts) throws {
        var configuration = LibraryServer.Configuration()
        configuration.photoCount = photos
        configuration.requestsPerHour = 50
        // The clocks of both are ten minutes into an hour, so that no hour ends during a test.
        configuration.now = { 600 }
        var environment = LibraryCache.Environment()
        let clock = SteadyClock(origin: WallTime(milliseconds: 600_000))
        environment.wallTime = { clock.now }
        library = LibraryServer(configuration)
        let authority = try library.start()
        var access = UnsplashClient.Configuration(accessKey: "secret-key", apiURL: "http://\(authority)")
        access.imageHosts = [authority]
        access.timeouts = timeouts
        client = try UnsplashClient(access, logger: .silent)
        service = PhotoService(.init(library: .sandbox), library: client, environment: environment)
        application = try Service(photos: PhotoHandlers(service)).application
    }

    /// Runs `body` with a service and its library, and always stops both.
    static func with(
        photos: Int = 90,
        timeouts: TransferTimeouts = TransferTimeouts(),
        _ body: (LibraryFixture) async throws -> Void
    ) async throws {
        let fixture = try LibraryFixture(photos: photos, timeouts: timeouts)
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
        await fixture.service.stop()
        fixture.client.stop()
        await fixture.library.stop()
        try result.get()
    }

    func get(_ target: String) async throws -> Response {
        switch application.respond(to: Request(method: .get, target: Target(target))) {
        case .now(let response): response
        case let promised: try await promised.value().read()
        }
    }

    /// Returns the library's own response to a request with a key.
    func askLibrary(_ target: String) async throws -> Response {
        let fields: Fields = [.authorization: "Client-ID any"]
        return try await library.respond(to: Request(method: .get, target: Target(target), fields: fields)).value()
    }

    /// Returns the ids of all photos, like a client that scrolls to the end.
    ///
    /// Most of a thousand clients get the same documents, so `read` parses each only once.
    func scroll(limit: Int, read: ReadPages = ReadPages()) async throws -> [String] {
        var seen: [String] = []
        var target: String? = "/v1/photos?limit=\(limit)"
        while let next = target {
            let (ids, cursor) = try read.page(try await get(next))
            seen += ids
            target = cursor.map { "/v1/photos?limit=\(limit)&cursor=\($0)" }
        }
        return seen
    }
}
