import BarLayout
import ClientJSON

// A model of `/v1/bars`: numbers, replays and the log, with the rules of `BarLayout`. The log of a bar has no limit.

struct MockBars {
    private var bars: [String: MockBar] = [:]
    private var creations: [String: (definition: BarDefinition, id: String, answer: ServiceResponse)] = [:]

    /// Returns the response of the service to a request about a bar.
    mutating func respond(to request: ServiceRequest) -> ServiceResponse {
        do {
            return try answer(request)
        } catch let refusal as Refusal {
            return refusal.response
        } catch {
            return Refusal(422, "invalid-content").response
        }
    }

    private mutating func answer(_ request: ServiceRequest) throws -> ServiceResponse {
        if case .create(let definition, let key)? = request.bar { return try create(definition, key) }
        let path = request.path.split(separator: "/").map(String.init)
        guard path.starts(with: ["v1", "bars"]), path.count > 2 else { throw Refusal(404, "not-found") }
        let id = path[2]
        guard var bar = bars[id] else { throw Refusal(404, "bar-not-found") }
        let answer: JSONDocument
        switch request.bar {
        case .post(let events): answer = try bar.apply(events)
        case .putTracks(let changes, let revision, _): answer = try bar.set(changes, at: revision)
        case .log(let number): answer = bar.page(after: number)
        case .state(let number): answer = try bar.state(at: number)
        case .read: answer = bar.answer(hasSnapshot: true)
        case .create, nil:
            // The only other request of a client is a deletion.
            bars[id] = nil
            return ServiceResponse(status: 204)
        }
        bars[id] = bar
        return ServiceResponse(json: answer.text)
    }

    private mutating func create(_ definition: BarDefinition, _ key: String) throws -> ServiceResponse {
        if let earlier = creations[key], bars[earlier.id] != nil {
            guard earlier.definition == definition else { throw Refusal(422, "idempotency-key-reused") }
            return earlier.answer
        }
        let id = "bar-" + String(UInt64.random(in: 0 ... .max), radix: 16)
        let (session, outcome) = definition.attached()
        let bar = MockBar(id: id, session)
        bars[id] = bar
        let answer = ServiceResponse(status: 201, json: bar.answer(outcome.commands).text)
        creations[key] = (definition, id, answer)
        return answer
    }
}

struct Refusal: Error {
    let response: ServiceResponse

    init(_ status: Int, _ code: String, expected: Int? = nil, event: Int? = nil) {
        let document = JSONDocument.object([
            "type": "/problems/\(code)", "title": code, "status": status, "expectedSequence": expected,
            "errors": event.map { [JSONDocument.object(["pointer": "/events/\($0)/sequence"])] },
        ])
        response = ServiceResponse(status: status, json: document.text)
    }
}
