import BuiltInLibrary
import Logging
import PhotoLibrary
import Primitives
import SpringbarService
import UnsplashClient

/// The photo library: Unsplash if there is an access key, otherwise the one in this process.
struct PhotoSource {
    let library: any Library
    private let client: UnsplashClient?

    init(_ configuration: Configuration, memory: MemoryBudget, logger: Logger) throws {
        guard let key = configuration.photos.accessKey else {
            library = BuiltInLibrary()
            client = nil
            return
        }
        var access = UnsplashClient.Configuration(
            accessKey: key.text,
            apiURL: configuration.photos.apiURL
        )
        access.imageHosts = configuration.photos.imageHosts
        // Shorter than the time-out of a request, so that a slow call of the upstream is answered with 504.
        access.timeouts.total = configuration.server.requestTimeout * 5 / 6
        access.memory = memory
        let client = try UnsplashClient(access, logger: logger)
        self.client = client
        library = client
    }

    /// Ends after the server, because answers in progress use the client.
    func stop() { client?.stop() }
}
