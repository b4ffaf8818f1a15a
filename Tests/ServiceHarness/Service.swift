package import BarFeature
package import HTTPExchange
import HTTPTypes
package import MotionFeature
package import Photos
import Primitives
import SharedBars
package import SharedState
package import SpringbarService
import Synchronization
package import TestSupport
import Testing

/// The service with its whole route table and all of its steps, on the engine of the test.
///
/// The test has the clock and the ids of the bars, and the library of the photos.
package final class Service: Sendable {
    package let sessions: BarSessions
    package let clock: TestClock
    package let motion: MotionHandlers
    package let readiness: Readiness
    package let routes: [Route]
    package let application: Application
    /// The shared store of the bars; nil for a store in memory.
    package let shared: (any CountingStore)?
    private let wire: Wire?
    /// Whether requests go through a socket.
    package var isOnWire: Bool { wire != nil }

    /// Creates the service with new bars, in the store of the engine.
    ///
    /// `environment` has settings as the command reads them, `shared` is the shared store of several replicas, `seed` makes
    /// their ids differ, and `status` is the state of the shared store.
    package init(
        environment: [String: String] = [:],
        maxSessions: Int = 1000,
        maxBytes: Int = 1 << 28,
        maxSessionsPerClient: Int = 0,
        seed: UInt64 = 1,
        shared: (any CountingStore)? = nil,
        clock: TestClock = TestClock(),
        motion: MotionHandlers = MotionHandlers(),
        photos: PhotoHandlers = PhotoHandlers(PhotoService(.init(library: .sandbox), library: FakeLibrary())),
        status: @escaping @Sendable () -> SharedStatus? = { nil }
    ) throws {
        let shared = Engine.current.isShared ? try shared ?? Service.store(clock) : nil
        let store: any BarStore =
            if let shared {
                SharedBarStore(
                    store: shared,
                    maxSessionsPerClient: maxSessionsPerClient,
                    copyBytes: 1 << 20,
                    logger: .silent,
                    now: { clock.now },
                    pause: { _ in await Task.yield() }
                )
            } else {
                MemoryBarStore(
                    maxSessions: maxSessions,
                    maxBytes: maxBytes,
                    maxSessionsPerClient: maxSessionsPerClient
                )
            }
        let ids = Lock(SeededGenerator(seed: seed))
        let sessions = BarSessions(
            store: store,
            ttlSeconds: 900,
            now: { clock.now },
            makeID: { ids.withLock { BarID(using: &$0) } }
        )
        let metrics = PrometheusRegistry()
        let configuration = try Configuration(environment: environment)
        let readiness = Readiness()
        self.readiness = readiness
        self.sessions = sessions
        self.motion = motion
        self.shared = shared
        self.clock = clock
        routes = Routes.table(
            bars: BarHandlers(sessions),
            motion: motion,
            photos: photos,
            operations: OperationHandlers(
                readiness: readiness,
                metrics: metrics,
                status: {
                    ServiceStatus.json(
                        uptime: .zero,
                        isDraining: readiness.isDraining,
                        bars: sessions.store.statistics,
                        store: status(),
                        storeSince: WallTime(milliseconds: 0),
                        photos: photos.service.status
                    )
                },
                store: status
            ),
            playground: PlaygroundHandlers(configuration)
        )
        application = SpringbarApplication.make(
            routes: routes,
            configuration: configuration,
            metrics: metrics,
            logger: .silent
        )
        let application = application
        wire = try Wires.current.map { try $0.open(application) }
    }

    /// A shared store of the engine, which has no bars.
    private static func store(_ clock: TestClock) throws -> any CountingStore {
        guard Engine.current == .redis else { return FakeStore { clock.now } }
        return RedisPart(try #require(RealRedis.current, "the engine has started no Redis").store, clock)
    }

    /// Posts JSON; `peer` is the address of the client.
    package func post(
        _ path: String,
        _ body: String,
        _ fields: Fields = [:],
        peer: String? = nil
    ) -> Response {
        send(.post, path, body, fields, peer: peer)
    }

    package func get(_ path: String, _ fields: Fields = [:], peer: String? = nil) -> Response {
        send(.get, path, "", fields, peer: peer)
    }

    package func head(_ path: String) -> Response {
        send(.head, path, "", [:])
    }

    package func put(_ path: String, _ body: String, _ fields: Fields = [:]) -> Response {
        send(.put, path, body, fields)
    }

    package func delete(_ path: String, _ fields: Fields = [:]) -> Response {
        send(.delete, path, "", fields)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String,
        _ fields: Fields,
        peer: String? = nil
    ) -> Response {
        var fields = fields
        if !body.isEmpty, fields[.contentType] == nil { fields[.contentType] = "application/json" }
        return send(
            Request(method: method, target: Target(path), fields: fields, content: Array(body.utf8), from: peer)
        )
    }

    /// The response of the service in process, for which no thread waits.
    package func respond(to request: Request) async throws -> Response {
        try await application.respond(to: request).value()
    }

    /// Sends a request on the engine; a response that is not immediate is waited for.
    package func send(_ request: Request) -> Response {
        do {
            if let wire { return try wire.respond(to: request) }
            switch application.respond(to: request) {
            case .now(let response): return response
            case let promised:
                let path = request.target.path
                let isBar = path.hasPrefix("/v1/bars") && sessions.store is MemoryBarStore
                // Probes, documents and pages, and bars in memory, wait for nothing.
                if isBar || path == "/v1/status" || !["/v1/", "/unsplash/"].contains(where: path.hasPrefix) {
                    Issue.record("\(path) is not answered at once")
                }
                return try waiting { try await promised.value() }
            }
        } catch {
            Issue.record(error)
            return Response(status: .internalServerError)
        }
    }

    /// The number of bars.
    package var sessionCount: Int {
        sessions.store.statistics?.sessions ?? shared?.barCount ?? 0
    }

    /// Creates a bar; returns its path.
    package func bar(_ body: String = Bodies.create()) throws -> String {
        let answer = post("/v1/bars", body)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.fields[.location])
    }
}

/// A shared store that can count its bars for a test.
package protocol CountingStore: SharedStore {
    var barCount: Int { get }
}

extension FakeStore: CountingStore {
    package var barCount: Int { keys.count { $0.hasPrefix("b:") } }
}
