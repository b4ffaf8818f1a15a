import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SpringbarClient
import TestSupport

/// The service in process, as the client asks it.
final class ServiceInProcess {
    private var service = ServiceInProcess.service(1)
    /// The number of processes so far; each has other ids of bars.
    private var lives: UInt64 = 1

    var sessions: BarSessions { service.sessions }

    /// Loses everything, as a killed process does.
    func kill() {
        lives += 1
        service = ServiceInProcess.service(lives)
    }

    /// The bar with an id; nil if there is none.
    func bar(_ id: String?) -> BarRecord? {
        guard let id = id.flatMap({ BarID($0) }),
            case .now(let record)? = try? sessions.store.load(id, now: service.clock.now)
        else { return nil }
        return record
    }

    func respond(to request: ServiceRequest) -> ServiceResponse {
        var fields: Fields = [.accept: "application/json"]
        if request.content != nil { fields[.contentType] = "application/json" }
        for (name, value) in request.fields { FieldName(name).map { fields[$0] = value } }
        let response = service.send(
            Request(
                method: HTTPRequest.Method(request.method) ?? .get,
                target: Target(request.target),
                fields: fields,
                content: Array((request.content ?? "").utf8)
            )
        )
        var names: [String: String] = [:]
        for entry in response.fields.entries { names[entry.name.rawValue.lowercased()] = entry.value }
        return ServiceResponse(status: response.status.code, fields: names, content: response.bytes)
    }

    private static func service(_ seed: UInt64) -> Service {
        do {
            return try Service(seed: seed)
        } catch {
            fatalError("the service has no settings that it refuses: \(error)")
        }
    }
}
