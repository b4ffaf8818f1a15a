import BuiltInLibrary
import Glibc
import Logging
import MicroHTTPServer

/// `springbar sandbox`: runs the built-in library alone, for app developers without an access key.
struct SandboxCommand {
    static let help = """
          --host <value>               address that it listens on (default: 127.0.0.1)
          --port <value>               port that it listens on; 0 for a free one (default: 8081)
          --photos <value>             number of photos (default: 900)
          --requests-per-hour <value>  API calls in an hour; 0 for no limit (default: 50)
        Any access key is accepted.
        """

    private let host: String
    private let port: Int
    private var settings = BuiltInLibrary.Configuration()
    private let limit: RateLimit

    init(_ arguments: ArraySlice<String>) throws(CommandFailure) {
        let flags = try CommandFlags(arguments, names: ["--host", "--port", "--photos", "--requests-per-hour"])
        host = flags.values["--host"] ?? "127.0.0.1"
        port = try flags.integer("--port", in: 0...65535) ?? 8081
        settings.photoCount = try flags.integer("--photos", in: 1...100_000) ?? 900
        let callsPerHour = try flags.integer("--requests-per-hour", in: 0...1_000_000_000) ?? 50
        limit = RateLimit(callsPerHour: callsPerHour > 0 ? callsPerHour : nil)
    }

    func run() async throws {
        let signals = await SignalWatch()
        let silent = Logger(label: "springbar") { _ in SwiftLogNoOpLogHandler() }
        var server = Server.Configuration(host: host, port: port)
        server.threads = 2
        // A picture waits for those before it.
        server.requestTimeout = .seconds(600)
        server.drainDeadline = .milliseconds(100)
        let library = Server(
            configuration: server,
            responder: LibraryResponder(BuiltInLibrary(settings), limit),
            logger: silent
        )
        let address: BoundAddress
        do {
            address = BoundAddress(host: host.reachable, port: try library.start().port)
        } catch {
            throw error.asFault { ($0, $0 == "--host" ? host : "\(port)") }
        }
        print(
            """
            The sandbox library listens on http://\(address)

            Try:
              curl -H 'Authorization: Client-ID any' 'http://\(address)/photos?per_page=2'
              SPRINGBAR_UNSPLASH_API_URL=http://\(address) SPRINGBAR_UNSPLASH_IMAGE_HOSTS=\(address) \
            UNSPLASH_ACCESS_KEY=any springbar

            """
        )
        fflush(nil)
        await signals.run([ServicePart(end: library.drain)], logger: silent)
    }
}
