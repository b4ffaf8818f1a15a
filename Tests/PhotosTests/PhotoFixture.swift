import HTTPExchange
import HTTPTypes
import JSON
import Logging
import MessageAuthentication
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

/// The photo part in process; the test controls its time and its library.
struct PhotoFixture {
    static let token = "a-token-of-the-tests"
    static let bearer = "Bearer \(token)"

    let library: FakeLibrary
    let service: PhotoService
    let application: Application
    private let clock: TestClock

    init(
        _ library: FakeLibrary = FakeLibrary(),
        imageMode: PhotoService.Configuration.ImageMode = .proxy,
        imageCacheBytes: Int = 1 << 20,
        answerCacheBytes: Int = 40 << 20,
        rateLimit: Int = 50,
        kind: PhotoService.Configuration.Library = .unsplash,
        publicURL: String? = nil,
        origins: [String] = [],
        memory: MemoryBudget = .unlimited,
        tokens: [String] = [],
        shared: AnswerStore? = nil,
        clock: TestClock = TestClock(),
        sleep: (@Sendable (Duration) async throws -> Void)? = nil
    ) throws {
        self.clock = clock
        self.library = library
        var configuration = PhotoService.Configuration(library: kind)
        configuration.imageMode = imageMode
        configuration.imageCacheBytes = imageCacheBytes
        configuration.answerCacheBytes = answerCacheBytes
        configuration.rateLimitPerHour = rateLimit
        configuration.publicURL = publicURL
        configuration.allowedOrigins = origins
        configuration.signatures = LinkSignatures(tokens: tokens, HMAC.sha256)
        configuration.memory = memory
        var environment = LibraryCache.Environment()
        environment.now = { clock.instant }
        environment.wallTime = { clock.now }
        let random = Atomic<UInt64>(0)
        environment.random = { random.add(1, ordering: .relaxed).newValue }
        environment.sleep =
            sleep ?? { duration in
                try Task.checkCancellation()
                clock.advance(by: duration)
            }
        service = PhotoService(configuration, library: library, shared: shared, environment: environment)
        var settings = ["SPRINGBAR_ALLOWED_HOSTS": "*"]
        if !tokens.isEmpty { settings["SPRINGBAR_API_TOKENS"] = tokens.joined(separator: ",") }
        application = try Service(environment: settings, photos: PhotoHandlers(service)).application
    }

    /// Advances the time.
    func wait(_ duration: Duration) {
        clock.advance(by: duration)
    }

    /// Waits until no fetch is running, because a fetch may have effects after its response.
    func settle() async {
        #expect(await blocking { eventually { service.status.flights == 0 } })
    }

    /// Returns the response, and whether it was immediate.
    func ask(
        _ target: String,
        method: HTTPRequest.Method = .get,
        fields: Fields = [:],
        content: String = ""
    ) async throws -> (isNow: Bool, response: Response) {
        var fields = fields
        if !content.isEmpty { fields[.contentType] = "application/json" }
        let request = Request(method: method, target: Target(target), fields: fields, content: Array(content.utf8))
        switch application.respond(to: request) {
        case .now(let response): return (true, response)
        case let promised: return (false, try await promised.value().read())
        }
    }

    func get(_ target: String, fields: Fields = [:]) async throws -> Response {
        try await ask(target, fields: fields).response
    }

    /// Reports a download of a photo.
    func download(_ photo: String = "p7", key: String? = nil, token: String? = nil) async throws -> Response {
        var fields: Fields = [:]
        if let key { fields[.idempotencyKey] = key }
        if let token { fields[.authorization] = "Bearer \(token)" }
        return try await ask("/v1/photos/\(photo)/download", method: .post, fields: fields).response
    }

    /// The reports of downloads that the library has received.
    var reports: Int { library.calls.count { $0.contains("/download") } }
}

extension Response {
    /// Reads the stream to its end, like a client; content that is cut short ends there.
    func read() async -> Response {
        guard case .stream(let stream) = content else { return self }
        defer { stream.close() }
        var response = self
        var bytes: [UInt8] = []
        let part = SharedBytes([UInt8](repeating: 0, count: 70))
        while true {
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
            // Only this code writes to `part`, between two reads.
            let target = UnsafeMutableRawBufferPointer(mutating: part.buffer)
            switch stream.read(into: target, wake: { wake.finish() }) {
            case .copied(let count): bytes += part.buffer.prefix(count)
            case .pending: for await _ in wakes {}
            case .finished, .failed, .reset:
                response.content = .bytes(bytes)
                return response
            }
        }
    }

    /// The ids of a page.
    func ids() throws -> [String] {
        try object().required("items").array().map { try $0.object().required("id").string() }
    }

    func page() throws -> JSONObject { try object().required("page").object() }
}
