import Glibc
import Logging
import MicroHTTPServer
import Sandbox

/// `springbar sandbox`: runs the sandbox library alone, for app developers without an access key.
struct SandboxCommand {
    static let help = """
          --host <value>               address that it listens on (default: 127.0.0.1)
          --port <value>               port that it listens on; 0 for a free one (default: 8081)
          --photos <value>             number of photos (default: 900)
          --requests-per-hour <value>  API calls in an hour; 0 for no limit (default: 50)
        Any access key is accepted. POST /sandbox/faults adds a fault, GET /sandbox/counters counts the requests. Both
        need a loopback address or localhost as Host.
        """

    private let host: String
    private let port: Int
    private var settings = SandboxLibrary.Configuration()

    init(_ arguments: ArraySlice<String>) throws(CommandFailure) {
        let flags = try CommandFlags(arguments, names: ["--host", "--port", "--photos", "--requests-per-hour"])
        host = flags.values["--host"] ?? "127.0.0.1"
        port = try flags.integer("--port", in: 0...65535) ?? 8081
        settings.photoCount = try flags.integer("--photos", in: 1...100_000) ?? 900
        settings.hasControls = true
        let requestsPerHour = try flags.integer("--requests-per-hour", in: 0...1_000_000_000) ?? 50
        settings.requestsPerHour = requestsPerHour > 0 ? requestsPerHour : nil
    }

    func run() async throws {
        let sandbox = SandboxLibrary(settings)
        let signals = await SignalWatch()
        let address: BoundAddress
        do {
            address = try sandbox.start(port: port, host: host)
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
        let silent = Logger(label: "springbar") { _ in SwiftLogNoOpLogHandler() }
        await signals.run([ServicePart(end: sandbox.stop)], logger: silent)
    }
}
