import Glibc
import HTTPExchange
package import Logging
package import MicroHTTPServer
import Primitives
import Synchronization

/// A photo library with the upstream's wire format, for the service without a key, for app developers and for tests.
///
/// People, words and pictures are fictional. The library is always the same, byte for byte.
package final class SandboxLibrary: Sendable {
    package struct Configuration: Sendable {
        package var photoCount = 900
        /// API calls in an hour, of which the upstream gives a new application 50; nil for no limit.
        package var requestsPerHour: Int? = 50
        /// The pictures that are drawn or wait at one time; more are answered 503 with Retry-After.
        package var pictureQueueLimit = 64
        /// Whether counters and faults can be changed over HTTP; not inside of a service, where every process could.
        package var hasControls = false
        /// The interval between the pieces of a dripping answer.
        package var heartbeat: Duration = .milliseconds(50)
        /// The wall clock, as Unix time in seconds: for the hourly limit and for the time in every `ixid`.
        package var now: @Sendable () -> Int = { time(nil) }

        package init() {}
    }

    package let faults = FaultInjector()
    /// The library without a socket.
    package let application: SandboxResponder

    private let catalogue: Catalogue
    private let counters = RequestCounters()
    private let configuration: Configuration
    private let logger: Logger
    private let running = Lock<Server?>(nil)

    private static let seed: UInt64 = 0x5F12_96BA_1200_0001
    private static let pictureCacheBytes = 32 << 20

    package init(
        _ configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "springbar.sandbox", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.configuration = configuration
        self.logger = logger
        catalogue = Catalogue(seed: Self.seed, count: configuration.photoCount)
        let pictures = PictureStore(
            capacity: Self.pictureCacheBytes,
            queueLimit: configuration.pictureQueueLimit
        ) { [counters] in counters.update { $0.picturesDrawn += 1 } }
        var routes = Self.routes(
            APIHandlers(catalogue: catalogue, faults: faults, counters: counters),
            ImageHandlers(catalogue: catalogue, pictures: pictures, counters: counters),
            now: configuration.now
        )
        if configuration.hasControls { routes += ControlHandlers(faults: faults, counters: counters).routes }
        application = SandboxResponder(
            router: Router(routes: routes),
            faults: faults,
            counters: counters,
            rateLimit: RateLimit(limit: configuration.requestsPerHour),
            now: configuration.now,
            logger: ContextLogger(logger)
        )
    }

    package var counts: SandboxCounts { counters.counts }

    /// The ids of all photos in the order of the feed, the newest first.
    package var photoIDs: [String] { catalogue.newestFirst.map(\.id) }

    /// Starts to listen on its own threads, at any free port for 0, and returns the address of the API.
    package func start(port: Int = 0, host: String = "127.0.0.1") throws(ServerError) -> BoundAddress {
        var settings = Server.Configuration(host: host, port: port)
        settings.threads = 2
        settings.heartbeatInterval = configuration.heartbeat
        // A hanging answer must outlast the time-outs of the client under test.
        settings.requestTimeout = .seconds(600)
        settings.idleTimeout = .seconds(600)
        settings.drainDeadline = .milliseconds(100)
        let server = Server(configuration: settings, responder: application, logger: logger)
        let address = try server.start()
        running.withLock { $0 = server }
        return address
    }

    /// Stops the server; hanging answers are aborted.
    package func stop() async { await running.withLock { $0.take() }?.drain() }

    private static func routes(
        _ api: APIHandlers,
        _ images: ImageHandlers,
        now: @escaping @Sendable () -> Int
    ) -> [Route] {
        /// A path of the API, which ignores Accept and unknown parameters.
        func wire(
            _ template: String,
            _ handler: @escaping @Sendable (APIRequest, PathParameters) throws(WireError) -> Response
        ) -> Route {
            .get(template, access: .open, query: .ignored, produces: []) { request, context in
                .now(try handler(APIRequest(request, api.catalogue, now: now()), context.parameters))
            }
        }
        return [
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
    }
}
