import Glibc
import HTTPExchange
package import Logging
package import MicroHTTPServer
import Primitives
import Synchronization

/// A photo library with the upstream's wire format, for the service without a key, for app developers and for tests.
///
///     let sandbox = try SandboxLibrary(.init(now: clock))
///     let address = try sandbox.start()
///     sandbox.faults.set(.truncate, on: .images, count: 1)
///     …
///     sandbox.counts.imagesWithKey  // 0
///     await sandbox.stop()
///
/// People, words and pictures are fictional. The same seed gives the same library, byte for byte.
package final class SandboxLibrary: Sendable {
    package struct Configuration: Sendable {
        /// Determines all random choices.
        package var seed: UInt64 = 0x5F12_96BA_1200_0001
        /// The number of photos at the start.
        package var photoCount = 900
        /// API calls in an hour; nil for no limit.
        ///
        /// The upstream gives a new application 50.
        package var requestsPerHour: Int? = 50
        /// The valid keys; nil for any.
        package var accessKeys: Set<String>?
        /// The bytes of pictures that are cached.
        package var pictureCacheBytes = 32 << 20
        /// The pictures that are drawn or wait at one time; more are answered 503 with Retry-After.
        package var pictureQueueLimit = 64
        /// Whether the URLs of pictures lead to another port, as the upstream's lead to another host.
        ///
        /// Clients limit their connections to one address: with a single one, lists would wait while pictures are drawn.
        package var hasPicturePort = false
        /// The `host:port` in the URLs of paid photos, for which the upstream has another host; nil for that of the
        /// other pictures.
        package var premiumAuthority: String?
        /// Whether counters and faults can be read and changed over HTTP.
        ///
        /// A library inside of a service has no such routes: every local process could reach them.
        package var hasControls = false
        /// The interval between the pieces of a dripping answer.
        package var heartbeat: Duration = .milliseconds(50)
        /// The wall clock, as Unix time in seconds: for the hourly limit and for the time in every `ixid`.
        package var now: @Sendable () -> Int = { time(nil) }

        package init() {}
    }

    /// The failures to produce.
    package let faults = FaultInjector()
    /// The library without a socket.
    package let application: SandboxResponder

    private let library: LibraryState
    private let counters = RequestCounters()
    private let configuration: Configuration
    private let logger: Logger
    private let running = Lock<Running?>(nil)

    private struct Running {
        let address: BoundAddress
        let pictureAddress: BoundAddress
        let servers: [Server]
    }

    package init(
        _ configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "springbar.sandbox", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.configuration = configuration
        self.logger = logger
        let catalogue = Catalogue(seed: configuration.seed, count: configuration.photoCount)
        library = LibraryState(
            catalogue: catalogue,
            seed: configuration.seed,
            premiumAuthority: configuration.premiumAuthority,
            now: configuration.now
        )
        let counters = counters
        let pictures = PictureStore(
            capacity: configuration.pictureCacheBytes,
            queueLimit: configuration.pictureQueueLimit
        ) { counters.update { $0.picturesDrawn += 1 } }
        application = SandboxResponder(
            router: Self.router(
                hasControls: configuration.hasControls,
                library: library,
                faults: faults,
                pictures: pictures,
                counters: counters
            ),
            library: library,
            faults: faults,
            counters: counters,
            rateLimit: RateLimit(limit: configuration.requestsPerHour),
            accessKeys: configuration.accessKeys,
            logger: ContextLogger(logger)
        )
    }

    /// The address of the API, such as `127.0.0.1:40123`; nil while the library does not listen.
    package var authority: String? { running.withLock { $0?.address.description } }

    /// The address of the pictures; nil while the library does not listen.
    package var pictureAuthority: String? { running.withLock { $0?.pictureAddress.description } }

    /// The requests so far.
    package var counts: SandboxCounts { counters.counts }

    /// Sets all counts to 0.
    package func resetCounts() {
        counters.reset()
    }

    /// Adds `count` photos, newer than all others, so every list shifts by this number.
    package func publish(_ count: Int) {
        library.catalogue.publish(count)
    }

    /// The ids of all photos in the order of the feed, the newest first.
    package var photoIDs: [String] { library.newestFirst.map(\.id) }

    /// Starts to listen and answer, on its own threads; can be called once, until `stop`.
    ///
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - host: the address to listen at; in a container, another than loopback.
    /// - Returns: the address of the API.
    /// - Throws: `ServerError`, such as for a port in use.
    package func start(port: Int = 0, host: String = "127.0.0.1") throws(ServerError) -> BoundAddress {
        let (server, address) = try listen(host: host, port: port)
        guard configuration.hasPicturePort else {
            running.withLock { $0 = Running(address: address, pictureAddress: address, servers: [server]) }
            return address
        }
        let (pictureServer, pictureAddress) = try listen(host: host, port: 0)
        library.setPictureAuthority(pictureAddress.description)
        running.withLock {
            $0 = Running(address: address, pictureAddress: pictureAddress, servers: [server, pictureServer])
        }
        return address
    }

    private func listen(host: String, port: Int) throws(ServerError) -> (server: Server, address: BoundAddress) {
        var settings = Server.Configuration(host: host, port: port)
        settings.threads = 2
        settings.heartbeatInterval = configuration.heartbeat
        // A hanging answer must outlast the time-outs of the client under test.
        settings.requestTimeout = .seconds(600)
        settings.idleTimeout = .seconds(600)
        settings.drainDeadline = .milliseconds(100)
        let server = Server(configuration: settings, responder: application, logger: logger)
        return (server, try server.start())
    }

    /// Stops the servers; hanging answers are aborted.
    package func stop() async {
        let running = running.withLock { $0.take() }
        for server in running?.servers ?? [] { await server.drain() }
    }
}

extension SandboxLibrary {
    /// All routes: the upstream's paths, the image host's, and the controls if the library has them.
    private static func router(
        hasControls: Bool,
        library: LibraryState,
        faults: FaultInjector,
        pictures: PictureStore,
        counters: RequestCounters
    ) -> Router {
        let api = APIHandlers(library: library, faults: faults, counters: counters)
        let images = ImageHandlers(catalogue: library.catalogue, pictures: pictures, counters: counters)
        let control = ControlHandlers(faults: faults, counters: counters)
        /// A path of the API, which ignores Accept and unknown parameters.
        func wire(
            _ template: String,
            _ handler: @escaping @Sendable (APIRequest, PathParameters) throws(WireError) -> Response
        ) -> Route {
            .get(template, access: .open, query: .ignored, produces: []) { request, context in
                .now(try handler(library.read(request), context.parameters))
            }
        }
        var routes = [
            wire("/photos", api.feed),
            wire("/photos/random", api.random),
            wire("/photos/{id}", api.detail),
            wire("/photos/{id}/download", api.download),
            wire("/search/photos", api.search),
            wire("/topics", api.topics),
            wire("/topics/{slug}", api.topic),
            wire("/topics/{slug}/photos", api.topicPhotos),
            wire("/collections/{id}/photos", api.collectionPhotos),
            wire("/users/{username}/photos", api.userPhotos),

            .get("/images/{file}", access: .open, query: .ignored, produces: [], images.picture),
            .get("/images/small/{file}", access: .open, query: .ignored, produces: [], images.small),
        ]
        if hasControls {
            routes += [
                .get("/sandbox/counters", access: .open, control.counts),
                .delete("/sandbox/counters", access: .open, control.resetCounts),
                .get("/sandbox/faults", access: .open, control.activeFaults),
                .post("/sandbox/faults", access: .open, control.addFault),
                .delete("/sandbox/faults", access: .open, control.clearFaults),
            ]
        }
        do {
            return try Router(routes: routes)
        } catch {
            preconditionFailure("the table above is constant: \(error)")
        }
    }
}
