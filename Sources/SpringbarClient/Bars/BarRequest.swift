import BarLayout
import ClientJSON

enum BarRequest: Sendable, Equatable {
    case create(BarDefinition, key: String)
    case post([NumberedEvent])
    /// A revision is the tag of most bars; `tag` replaces it.
    case putTracks([TrackChange], revision: Int, tag: String? = nil)
    /// The log after a number.
    case log(after: Int)
    /// The bar right after an event.
    case state(at: Int)
    case read

    /// Returns the request for the bar with an id, which only `create` does not need.
    func request(id: String) -> ServiceRequest {
        let path = "/v1/bars/" + ServiceRequest.encoded(id)
        var request: ServiceRequest
        switch self {
        case .create(let definition, let key):
            request = ServiceRequest("POST", "/v1/bars", fields: ["Idempotency-Key": key], json: definition.json)
        case .post(let events):
            let list = events.map { $0.event.json(sequence: $0.sequence) }
            request = ServiceRequest("POST", path + "/events", json: .object(["events": list]))
        case .putTracks(let changes, let revision, let tag):
            let fields = ["If-Match": tag ?? "\"\(revision)\""]
            request = ServiceRequest("PUT", path + "/tracks", fields: fields, json: changes.json)
        case .log(let after):
            // The service keeps 512 events.
            request = ServiceRequest("GET", path + "/events", query: [("after", "\(after)"), ("limit", "512")])
        case .state(let sequence): request = ServiceRequest("GET", path + "/states", query: [("at", "\(sequence)")])
        case .read: request = ServiceRequest("GET", path)
        }
        request.bar = self
        return request
    }

    func reply(_ response: ServiceResponse) throws(Problem) -> BarReply {
        let document = try response.document()
        do {
            if case .log = self { return .page(try LogPage(document)) }
            return .bar(try BarAnswer(document))
        } catch {
            throw .unreadable(status: response.status)
        }
    }
}

enum BarReply: Sendable, Equatable {
    case bar(BarAnswer)
    case page(LogPage)
}

extension ServiceRequest {
    /// The request that ends the session with an id.
    static func deletion(of id: String) -> ServiceRequest {
        ServiceRequest("DELETE", "/v1/bars/" + ServiceRequest.encoded(id))
    }
}
