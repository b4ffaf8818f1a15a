import HTTPExchange
import HTTPTypes
import Logging
import Primitives

@testable import BarFeature
@testable import SpringbarClient
@testable import SpringbarService

/// The bars of the service in process, with the handlers and the store of the service.
final class ServiceInProcess {
    private(set) var sessions: BarSessions
    private var application: Application

    init() {
        sessions = ServiceInProcess.makeSessions()
        application = ServiceInProcess.application(of: sessions)
    }

    /// Loses everything, as a killed process does.
    func kill() {
        sessions = ServiceInProcess.makeSessions()
        application = ServiceInProcess.application(of: sessions)
    }

    /// The bar with an id; nil if there is none.
    func bar(_ id: String?) -> BarRecord? {
        guard let id = id.flatMap({ BarID($0) }),
            case .now(let record)? = try? sessions.store.load(id, now: WallTime(milliseconds: 0))
        else { return nil }
        return record
    }

    func respond(to request: ServiceRequest) -> ServiceResponse {
        var fields: Fields = [.accept: "application/json"]
        if request.content != nil { fields[.contentType] = "application/json" }
        for (name, value) in request.fields { FieldName(name).map { fields[$0] = value } }
        let reply = application.respond(
            to: Request(
                method: HTTPRequest.Method(request.method) ?? .get,
                target: Target(request.target),
                fields: fields,
                content: Array((request.content ?? "").utf8)
            )
        )
        guard case .now(let response) = reply else { fatalError("bars are answered without waiting") }
        var names: [String: String] = [:]
        for entry in response.fields.entries { names[entry.name.rawValue.lowercased()] = entry.value }
        var content: [UInt8] = []
        if case .bytes(let bytes) = response.content { content = bytes }
        return ServiceResponse(status: response.status.code, fields: names, content: content)
    }

    private static func makeSessions() -> BarSessions {
        BarSessions(
            store: MemoryBarStore(maxSessions: 1000, maxBytes: 1 << 28),
            ttlSeconds: 900,
            now: { WallTime(milliseconds: 0) }
        )
    }

    private static func application(of sessions: BarSessions) -> Application {
        let bars = BarHandlers(sessions)
        let routes: [Route] = [
            .post("/v1/bars", bars.create),
            .get("/v1/bars/{id}", query: .read, bars.read),
            .delete("/v1/bars/{id}", bars.delete),
            .get("/v1/bars/{id}/events", query: .read, bars.log),
            .post("/v1/bars/{id}/events", query: .read, bars.post),
            .get("/v1/bars/{id}/states", query: .read, bars.state),
            .put("/v1/bars/{id}/tracks", bars.setTracks),
        ]
        return Application(
            router: Router(routes: routes),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            makeRequestID: { "request" },
            problem: { HTTPExchange.Problem(of: $0) }
        )
    }
}
