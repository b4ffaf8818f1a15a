import BuiltInLibrary
import Glibc
package import HTTPExchange
import Logging
import MicroHTTPServer
import PictureCoding
import Primitives
import Synchronization

/// The photo library of tests: the built-in library behind HTTP, with faults, counters and pictures of any length.
package final class LibraryServer: Sendable {
    package struct Configuration: Sendable {
        package var photoCount = 900
        /// API calls in an hour; nil for no limit.
        package var requestsPerHour: Int?
        /// The length of every picture, which is then noise; nil for drawn pictures, which take longer.
        package var pictureBytes: Int?
        /// The wall clock, as Unix time in seconds.
        package var now: @Sendable () -> Int = { time(nil) }

        package init() {}
    }

    package let faults = FaultInjector()
    let counters = RequestCounters()
    let noise: [UInt8]?
    private let configuration: Configuration
    let library: BuiltInLibrary
    let rateLimit: RateLimit
    private let running = Lock<Server?>(nil)

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        rateLimit = RateLimit(callsPerHour: configuration.requestsPerHour)
        noise = configuration.pictureBytes.map(LibraryServer.noise)
        var settings = BuiltInLibrary.Configuration()
        settings.photoCount = configuration.photoCount
        settings.now = configuration.now
        library = BuiltInLibrary(settings)
    }

    package var counts: LibraryCounts { counters.counts }
    /// The targets of all requests so far, with their queries.
    package var targets: [String] { counters.targets }
    /// The ids of all photos in the order of the feed, the newest first.
    package var photoIDs: [String] { library.photoIDs }

    /// Starts to listen on its own threads, at any free port for 0, and returns its address, such as `127.0.0.1:9000`.
    package func start(port: Int = 0) throws -> String {
        var settings = Server.Configuration(host: "127.0.0.1", port: port)
        settings.threads = 2
        // The interval between the pieces of a dripping answer.
        settings.heartbeatInterval = .milliseconds(50)
        // Answers that tests set.
        settings.maxBodyBytes = 16 << 20
        // A hanging answer must outlast the time-outs of the client under test.
        settings.requestTimeout = .seconds(600)
        settings.idleTimeout = .seconds(600)
        settings.drainDeadline = .milliseconds(100)
        let logger = Logger(label: "library") { _ in SwiftLogNoOpLogHandler() }
        let server = Server(configuration: settings, responder: FaultyResponder(server: self), logger: logger)
        let address = try server.start()
        running.withLock { $0 = server }
        return "\(address)"
    }

    /// Stops the server; hanging answers are aborted.
    package func stop() async { await running.withLock { $0.take() }?.drain() }

    /// Responds in process.
    package func respond(to request: Request) -> Reply { FaultyResponder(server: self).respond(to: request) }

    /// A PNG as far as clients read it: its size of 400 × 300 pixels, and its chunks up to the last one.
    private static func noise(of count: Int) -> [UInt8] {
        var picture = PNG.header(width: 400, height: 300)
        // A chunk has 12 bytes beside its content.
        let rest = max(0, count - picture.count - 2 * 12)
        PNG.append("IDAT", [UInt8](repeating: 0x5A, count: rest), to: &picture)
        PNG.append("IEND", [], to: &picture)
        return picture
    }
}
