import Logging
import PhotoLibrary
import Primitives
import Synchronization
import TestSupport

@testable import UnsplashClient

/// A picture that arrives, as its receiver stores it.
final class Collector: PictureReceiver {
    struct State {
        var length: Int??
        var bytes: [UInt8] = []
    }

    let state = Lock(State())
    let refusal: UpstreamError?

    init(refusing refusal: UpstreamError? = nil) {
        self.refusal = refusal
    }

    func begin(length: Int?) throws(UpstreamError) { state.withLock { $0.length = .some(length) } }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError) {
        if let refusal { throw refusal }
        state.withLock { $0.bytes += bytes }
    }

    var bytes: [UInt8] { state.withLock(\.bytes) }
}

/// The access key of the clients in these tests.
let testKey = "s3cret-k3y"

/// Returns a client of a server on this machine, with small limits.
func makeClient(
    _ server: LoopbackServer,
    imageHosts: [String]? = nil,
    timeouts: TransferTimeouts = TransferTimeouts(),
    memory: MemoryBudget = .unlimited,
    logger: Logger = .silent
) throws -> UnsplashClient {
    var configuration = UnsplashClient.Configuration(accessKey: testKey, apiURL: server.url + "/")
    configuration.imageHosts = imageHosts ?? ["127.0.0.1:\(server.port)"]
    configuration.timeouts = timeouts
    (configuration.largestAnswer, configuration.largestPicture) = (100_000, 50_000)
    configuration.memory = memory
    return try UnsplashClient(configuration, logger: logger)
}

/// Returns the error of the call; nil if it succeeded.
func error(_ body: () async throws -> Void) async -> UpstreamError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? UpstreamError
    }
}
