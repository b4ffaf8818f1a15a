import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import Primitives
import SharedState

@testable import BarFeature
@testable import MotionFeature
@testable import Photos
@testable import SpringbarService

/// The service without a socket.
struct ServiceFixture {
    let readiness = Readiness()
    let application: Application
    let routes: [Route]

    init(
        environment: [String: String] = [:],
        photos: PhotoHandlers = PhotoHandlers(PhotoService(.init(library: .sandbox), library: FakeLibrary())),
        bars: BarSessions? = nil,
        motion: MotionHandlers = MotionHandlers(),
        store: @escaping @Sendable () -> SharedStatus? = { nil }
    ) {
        let metrics = PrometheusRegistry()
        do {
            let configuration = try Configuration(environment: environment)
            routes = Routes.table(
                around: photos,
                bars: bars,
                motion: motion,
                playground: PlaygroundHandlers(configuration),
                metrics: metrics,
                readiness: readiness,
                store: store
            )
            application = SpringbarApplication.make(
                routes: routes,
                configuration: configuration,
                metrics: metrics,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        } catch {
            fatalError("the fixture cannot be put together: \(error)")
        }
    }

    func get(_ target: String, fields: Fields = [:], peer: String? = nil) throws -> ServiceAnswer {
        try send(Request(method: .get, target: Target(target), fields: fields, from: peer))
    }

    /// Sends a request that is answered without waiting.
    func send(_ request: Request) throws -> ServiceAnswer {
        guard case .now(let response) = application.respond(to: request) else { throw ServiceAnswer.Failure.isLate }
        return ServiceAnswer(response: response)
    }

    static func status(isDraining: Bool, store: SharedStatus? = nil) -> [UInt8] {
        ServiceStatus.json(
            uptime: .seconds(61.5),
            isDraining: isDraining,
            bars: BarStatistics(sessions: 3, maxSessions: 100, bytes: 0, maxBytes: 0),
            store: store,
            storeSince: WallTime(milliseconds: 0),
            photos: PhotoService.Status(
                library: .sandbox,
                upstream: "ok",
                budget: (50, 49, .seconds(10)),
                imageCache: (1, 2, 3, 4, 5),
                imageLoads: (6, 7),
                knownPhotos: 0,
                flights: 0
            )
        )
    }
}

extension Routes {
    /// Returns the whole route table around some photos.
    ///
    /// Everything else in it is new and empty.
    static func table(
        around photos: PhotoHandlers,
        bars: BarSessions? = nil,
        motion: MotionHandlers = MotionHandlers(),
        playground: PlaygroundHandlers = PlaygroundHandlers(),
        metrics: PrometheusRegistry = PrometheusRegistry(),
        readiness: Readiness = Readiness(),
        store: @escaping @Sendable () -> SharedStatus? = { nil }
    ) -> [Route] {
        table(
            bars: BarHandlers(
                bars
                    ?? BarSessions(
                        store: MemoryBarStore(maxSessions: 100, maxBytes: 1 << 24),
                        ttlSeconds: 900,
                        now: { WallTime(milliseconds: 0) }
                    )
            ),
            motion: motion,
            photos: photos,
            operations: OperationHandlers(
                readiness: readiness,
                metrics: metrics,
                status: { ServiceFixture.status(isDraining: readiness.isDraining) },
                store: store
            ),
            playground: playground
        )
    }
}

/// A response, with the values that tests check.
struct ServiceAnswer {
    enum Failure: Error {
        case isLate
        case isNoObject
    }

    let response: Response

    var status: HTTPResponse.Status { response.status }

    var bytes: [UInt8] {
        switch response.content {
        case .none, .stream: []
        case .bytes(let bytes): bytes
        case .shared(let bytes, let range): Array(bytes.buffer[range])
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var object: [String: Any] {
        get throws {
            guard let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
                throw Failure.isNoObject
            }
            return object
        }
    }
}
