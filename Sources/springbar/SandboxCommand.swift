import ArgumentParser
import Glibc
import HTTPExchange
import Logging
import MicroHTTPServer
import Sandbox
import ServiceLifecycle
import SpringbarService
import UnixSignals

/// `springbar sandbox`: runs the sandbox library alone, for app developers without an access key.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run the sandbox library alone: the upstream's wire format, drawn photos, faults on request.",
        discussion: """
            Any access key is accepted. POST /sandbox/faults adds a fault, GET /sandbox/counters counts the requests. Both \
            need a loopback address or localhost as Host.
            """
    )

    @Option(help: "Address to listen on.") var host = "127.0.0.1"
    @Option(help: "Port to listen on; 0 takes a free one.", transform: wholeNumber) var port = 8081
    @Option(help: "Number of photos.", transform: wholeNumber) var photos = 900
    @Option(help: "API calls in an hour; 0 for no limit.", transform: wholeNumber) var requestsPerHour = 50

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be from 0 to 65535, was \(port)") }
        guard (1...100_000).contains(photos) else {
            throw ValidationError("--photos must be from 1 to 100000, was \(photos)")
        }
        guard requestsPerHour >= 0 else {
            throw ValidationError("--requests-per-hour must not be negative, was \(requestsPerHour)")
        }
    }

    func run() async throws {
        var settings = SandboxLibrary.Configuration()
        settings.photoCount = photos
        settings.hasControls = true
        settings.requestsPerHour = requestsPerHour > 0 ? requestsPerHour : nil
        let sandbox = SandboxLibrary(settings)
        let address = try listen(sandbox)
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
        let group = ServiceGroup(
            services: [SandboxService(sandbox: sandbox)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "springbar") { _ in SwiftLogNoOpLogHandler() }
        )
        try await group.run()
    }

    private func listen(_ sandbox: SandboxLibrary) throws -> BoundAddress {
        do {
            return try sandbox.start(port: port, host: host)
        } catch {
            switch ListeningFault(error) {
            case let fault? where fault.setting == .host: throw refusal(fault.told(of: "--host", was: host))
            case let fault?: throw refusal(fault.told(of: "--port", was: "\(port)"))
            case nil:
                printError(error.description)
                throw ExitCode(1)
            }
        }
    }
}

/// A started sandbox library; it stops with its service group.
struct SandboxService: Service {
    let sandbox: SandboxLibrary

    func run() async throws {
        try? await gracefulShutdown()
        await sandbox.stop()
    }
}
