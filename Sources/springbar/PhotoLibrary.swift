import Logging
import MicroHTTPServer
import PhotoFeed
import Sandbox
import ServiceLifecycle
import SpringbarService
import UnsplashClient

/// Where the photos come from: Unsplash with a key, else a sandbox library of our own on a loopback port.
///
/// The client is the same code either way, over real HTTP.
struct PhotoLibrary: Service {
    let client: UnsplashClient
    private let sandbox: SandboxLibrary?

    init(_ configuration: Configuration, logger: Logger) throws {
        // An answer that is late upstream is our own 504 while there is still time to say so.
        let total = configuration.requestTimeout * 5 / 6
        let timeouts = TransferTimeouts(total: total)
        guard let key = configuration.accessKey else {
            var settings = SandboxLibrary.Configuration()
            // The upstream's limit for applications in production: a newcomer scrolls for longer than its 50 for new ones.
            settings.requestsPerHour = Configuration.sandboxCallsPerHour
            settings.hasPicturePort = true
            // Drawn one after the other, in up to a second each, within the time for one answer.
            settings.pictureQueueLimit = 24
            // Nothing drips here, so nothing needs to wake up for it.
            settings.beat = .seconds(15)
            let sandbox = SandboxLibrary(settings, logger: logger)
            let address = try sandbox.start()
            self.sandbox = sandbox
            client = try UnsplashClient(
                UnsplashClient.Configuration(
                    accessKey: "sandbox",
                    apiURL: "http://\(address)",
                    imageHosts: [address.description, sandbox.pictureAuthority].compactMap(\.self),
                    apiTimeouts: timeouts,
                    // A picture waits for those that are drawn before it; the queue is as long as this allows.
                    imageTimeouts: TransferTimeouts(firstByte: total, total: total)
                ),
                logger: logger
            )
            return
        }
        sandbox = nil
        client = try UnsplashClient(
            UnsplashClient.Configuration(
                accessKey: key.text,
                apiURL: configuration.unsplashURL.description,
                imageHosts: configuration.imageHosts,
                apiTimeouts: timeouts,
                imageTimeouts: timeouts
            ),
            logger: logger
        )
    }

    /// Ends after the server, which may still be answering with it.
    func run() async throws {
        try? await gracefulShutdown()
        client.stop()
        await sandbox?.stop()
    }
}
