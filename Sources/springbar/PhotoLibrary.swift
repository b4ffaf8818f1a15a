import Logging
import MicroHTTPServer
import Primitives
import Sandbox
import SpringbarService
import UnsplashClient

/// The photo library: Unsplash if there is an access key, otherwise the sandbox library on a loopback port.
struct PhotoLibrary {
    let client: UnsplashClient
    private let sandbox: SandboxLibrary?

    init(_ configuration: Configuration, memory: MemoryBudget, logger: Logger) throws {
        // Shorter than the time-out of a request, so that a slow call of the upstream is answered with 504.
        let timeouts = TransferTimeouts(total: configuration.server.requestTimeout * 5 / 6)
        var access: UnsplashClient.Configuration
        if let key = configuration.photos.accessKey {
            sandbox = nil
            access = UnsplashClient.Configuration(accessKey: key.text, apiURL: configuration.photos.apiURL.description)
            access.imageHosts = configuration.photos.imageHosts
            access.imageTimeouts = timeouts
        } else {
            var settings = SandboxLibrary.Configuration()
            // Unsplash's limit for new applications, 50, is too low for scrolling.
            settings.requestsPerHour = Configuration.Photos.sandboxCallsPerHour
            // Images are drawn one at a time, each in up to a second, within the time-out of an answer.
            settings.pictureQueueLimit = 24
            // The fault `drip` is not used here, so the timer can be slow.
            settings.heartbeat = .seconds(15)
            let sandbox = SandboxLibrary(settings, logger: logger)
            self.sandbox = sandbox
            let address = try sandbox.start()
            access = UnsplashClient.Configuration(accessKey: "sandbox", apiURL: "http://\(address)")
            access.imageHosts = [address.description]
            // An image waits for those before it in the queue.
            access.imageTimeouts = TransferTimeouts(firstByte: timeouts.total, total: timeouts.total)
        }
        access.apiTimeouts = timeouts
        access.memory = memory
        client = try UnsplashClient(access, logger: logger)
    }

    /// Ends after the server, because answers in progress use the client.
    func stop() async {
        client.stop()
        await sandbox?.stop()
    }
}
