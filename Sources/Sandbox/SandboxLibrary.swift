import HTTPExchange
package import Logging
package import MicroHTTPServer
import Synchronization

/// A photo library of its own that speaks the upstream's wire format: what the service shows without a key, what app
/// developers run before they have one, and what tests run with something broken.
///
///     let sandbox = try SandboxLibrary(.init(now: clock))
///     let address = try sandbox.start()
///     sandbox.faults.set(.truncate, on: .images, count: 1)
///     …
///     sandbox.counts.imagesWithKey  // 0
///     await sandbox.stop()
///
/// Everything in it is invented: people, words, pictures. The same seed gives the same library, to the byte.
package final class SandboxLibrary: Sendable {
    /// What kind of library it is.
    package struct Configuration: Sendable {
        /// Decides everything that is random.
        package var seed: UInt64 = 0x5F12_96BA_1200_0001
        /// The number of photos at the start.
        package var photoCount = 900
        /// API calls in an hour; nil for no limit.
        ///
        /// The upstream gives a new application 50.
        package var requestsPerHour: Int? = 50
        /// The keys that are known; nil takes any.
        package var accessKeys: Set<String>?
        /// Bytes of finished pictures that are kept.
        package var pictureCacheBytes = 32 << 20
        /// Pictures that are drawn or wait for it at one time; more are answered 503 with Retry-After.
        package var pictureQueueLimit = 64
        /// Serves pictures at a port of their own as well, to which the URLs of pictures lead.
        ///
        /// Clients limit their connections to one address; at one address for both, lists would wait for a connection
        /// while pictures are drawn. The upstream has two hosts as well.
        package var hasPicturePort = false
        /// The `host:port` in the URLs of paid photos, such as another name of the same address; nil for the one that
        /// the client used.
        ///
        /// The upstream has a host of its own for them.
        package var premiumAuthority: String?
        /// How often a dripping answer gives a piece.
        package var beat: Duration = .milliseconds(50)
        /// The wall clock: Unix time in seconds.
        ///
        /// The hourly limit goes by it, and the time in every `ixid`.
        package var now: @Sendable () -> Int = { WallClock.now }

        package init() {}
    }

    /// What goes wrong, and when.
    package let faults = FaultSwitch()
    /// The library without a socket: fields and content as they would go over the wire.
    package let application: SandboxResponder

    private let library: LibraryState
    private let counters = Counters()
    private let configuration: Configuration
    private let logger: Logger
    private let running = Mutex<Running?>(nil)

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
            faults: faults,
            seed: configuration.seed,
            premiumAuthority: configuration.premiumAuthority,
            now: configuration.now
        )
        let counters = counters
        let gallery = Gallery(
            capacity: configuration.pictureCacheBytes,
            queueLimit: configuration.pictureQueueLimit
        ) { counters.note { $0.picturesDrawn += 1 } }
        application = SandboxResponder(
            router: Self.router(library: library, gallery: gallery, counters: counters),
            library: library,
            counters: counters,
            rateLimit: RateLimit(limit: configuration.requestsPerHour),
            accessKeys: configuration.accessKeys,
            logger: logger
        )
    }

    /// Where it can be reached, such as `127.0.0.1:40123`; nil while it does not listen.
    package var authority: String? { running.withLock { $0?.address.description } }

    /// Where its pictures can be reached; nil while it does not listen.
    package var pictureAuthority: String? { running.withLock { $0?.pictureAddress.description } }

    /// What it has been asked so far.
    package var counts: SandboxCounts { counters.counts }

    /// Counts anew from here.
    package func resetCounts() {
        counters.reset()
    }

    /// Adds `count` photos, newer than all others: every list shifts by as many.
    package func publish(_ count: Int) {
        library.catalogue.publish(count)
    }

    /// The ids of all photos in the order of the feed, the newest first.
    package var photoIDs: [String] { library.newestFirst.map(\.id) }

    /// Listens on loopback and answers, on threads of its own; once, until it is stopped.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - host: the address to listen at; another than loopback is for containers.
    /// - Returns: where it listens.
    /// - Throws: `ServerError`, such as a port that is taken.
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
        settings.heartbeatInterval = configuration.beat
        // A library that hangs must hang longer than whoever it is tested with waits.
        settings.requestTimeout = .seconds(600)
        settings.idleTimeout = .seconds(600)
        settings.drainDeadline = .milliseconds(100)
        let server = Server(configuration: settings, responder: application, logger: logger)
        return (server, try server.start())
    }

    /// Ends the servers: what hangs is cut off.
    package func stop() async {
        let running = running.withLock { $0.take() }
        for server in running?.servers ?? [] { await server.drain() }
    }
}
