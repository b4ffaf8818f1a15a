import Dispatch
import HTTPTypes
import JSON
import Logging
import Primitives
import Synchronization

@testable import BarFeature
@testable import HTTPExchange
@testable import MotionFeature
@testable import Photos
@testable import SpringbarService

/// The service without a socket, and the checks for all of its responses.
enum Service {
    /// The whole route table around an empty library; it does not cache computed responses.
    static let routes = Service.routes(around: PhotoService(.init(library: .sandbox), library: FuzzedLibrary()))

    static let router = Router(routes: routes)

    /// The application as in production, with every middleware that can be configured except tokens.
    static let application: Application = {
        do {
            let environment = [
                "SPRINGBAR_TRUSTED_PROXIES": "10.0.0.0/8,::1", "SPRINGBAR_CORS_ORIGINS": "https://app.example",
            ]
            return try SpringbarApplication.make(
                routes: routes,
                configuration: Configuration(environment: environment),
                metrics: PrometheusRegistry(),
                logger: quiet
            )
        } catch {
            fail("the service cannot be built: \(error)")
        }
    }()

    /// Photos with their routes, and only the middleware for conditions.
    ///
    /// The other routes are left out, because every input builds the router again to begin with empty caches.
    static func application(around service: PhotoService) -> Application {
        let table = routes(around: service).filter { route in
            route.template.hasPrefix("/unsplash/") || route.template.contains("photos")
        }
        return Application(
            router: Router(routes: table),
            middleware: [ConditionalRequests()],
            logger: quiet,
            makeRequestID: { "request" },
            problem: { Problem(of: $0) }
        )
    }

    /// The time of every bar, in milliseconds; targets advance it.
    static let milliseconds = Atomic<Int>(1_000_000)

    private static func routes(around photos: PhotoService) -> [Route] {
        Routes.table(bars: bars, motion: motion, photos: PhotoHandlers(photos), operations: operations)
    }

    private static let bars: BarHandlers = {
        let now = { @Sendable in WallTime(milliseconds: milliseconds.load(ordering: .relaxed)) }
        let store = MemoryBarStore(maxSessions: 64, maxBytes: 1 << 24)
        return BarHandlers(BarSessions(store: store, ttlSeconds: 900, now: now))
    }()

    private static let operations = OperationHandlers(
        readiness: Readiness(),
        metrics: PrometheusRegistry(),
        status: { fail("no target requests the status") }
    )

    /// Caches nothing, so that an input always does the same.
    ///
    /// There is one for all targets, because each has a thread.
    private static let motion = MotionHandlers(cacheBytes: 0)

    private static let quiet = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
}

/// A response with its bytes.
struct Answer {
    let status: Int
    let fields: Fields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The content as JSON; other content is a finding.
    var json: JSONValue {
        do throws(JSONError) { return try JSON.parse(bytes) } catch { fail("the response is not JSON: \(error)") }
    }
}

extension Application {
    /// Returns the response to a request, after the checks for all responses.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - limit: the largest size of the response in bytes; 8 MiB is the limit of the contract.
    /// - Returns: the response with its bytes, which are empty for a stream.
    func answer(_ request: Request, atMost limit: Int = 8 << 20) -> Answer {
        let response = waitForResponse(to: request)
        let bytes: [UInt8] =
            switch response.content {
            case .none, .stream: []
            case .bytes(let bytes): bytes
            case .shared(let bytes, let range): Array(bytes.buffer[range])
            }
        let answer = Answer(status: response.status.code, fields: response.fields, bytes: bytes)
        if answer.status == 500, request.target.path.hasPrefix("/v1") { fail("500: \(answer.text)") }
        require(bytes.count <= limit, "\(bytes.count) bytes of response")
        for field in answer.fields.entries {
            let isText = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
            require(isText, "\(field.name.rawValue) has a control character: \(field.value.debugDescription)")
        }
        if answer.fields[.contentType]?.hasPrefix("application/json") == true, answer.status == 200 { _ = answer.json }
        if answer.status >= 400, answer.fields[.contentType] == "application/problem+json" {
            let members = try? answer.json.object()
            require(members?.optional("detail") != nil, "a problem without a detail")
            require(bytes.count < 16_384 + 12 * request.size, "\(bytes.count) bytes of problem")
        }
        return answer
    }

    private func waitForResponse(to request: Request) -> Response {
        switch respond(to: request) {
        case .now(let response): return response
        case let promised:
            let done = DispatchSemaphore(value: 0)
            let result = Lock<Response?>(nil)
            Task {
                let response = try? await promised.value()
                result.withLock { $0 = response }
                done.signal()
            }
            done.wait()
            guard let response = result.withLock({ $0 }) else { fail("a reply throws instead of returning a response") }
            return response
        }
    }
}

extension Request {
    fileprivate var size: Int {
        target.raw.utf8.count + content.count + fields.entries.reduce(0) { $0 + $1.value.utf8.count }
    }
}
