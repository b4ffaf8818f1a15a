import BarLayout

// A model of `/v1/bars`: numbers, replays and the log, with the rules of `BarLayout`. The log of a bar has no limit.

struct MockBars {
    private var bars: [String: MockBar] = [:]
    private var creations: [String: (content: String?, id: String, answer: ServiceResponse)] = [:]
    private var count = 0

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
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count >= 2, parts[0] == "v1", parts[1] == "bars" else { throw Refusal(404, "not-found") }
        guard parts.count > 2 else { return try create(request) }
        let id = parts[2]
        guard var bar = bars[id] else { throw Refusal(404, "bar-not-found") }
        if request.method == "DELETE" {
            bars[id] = nil
            return ServiceResponse(status: 204)
        }
        let answer: JSONDocument
        switch (request.method, parts.dropFirst(3).first) {
        case ("GET", nil): answer = bar.answer(hasSnapshot: true)
        case ("GET", "events"):
            answer = bar.page(after: request.number("after") ?? 0)
        case ("GET", "states"): answer = try bar.state(at: request.number("at") ?? 0)
        case ("POST", "events"): answer = try bar.apply(try request.document["events"]?.array ?? [])
        case ("PUT", "tracks"): answer = try bar.set(try request.document, condition: request.fields["If-Match"])
        default: throw Refusal(404, "not-found")
        }
        bars[id] = bar
        return ServiceResponse(json: answer.text)
    }

    private mutating func create(_ request: ServiceRequest) throws -> ServiceResponse {
        guard request.method == "POST" else { throw Refusal(405, "method-not-allowed") }
        let key = request.fields["Idempotency-Key"]
        if let earlier = key.flatMap({ creations[$0] }), bars[earlier.id] != nil {
            guard earlier.content == request.content else { throw Refusal(422, "idempotency-key-reused") }
            return earlier.answer
        }
        count += 1
        let id = "bar-\(count)"
        let (session, outcome) = try BarDefinition(try request.document).attached()
        let bar = MockBar(id: id, session)
        bars[id] = bar
        let answer = ServiceResponse(status: 201, json: bar.answer(outcome.commands).text)
        if let key { creations[key] = (request.content, id, answer) }
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

extension ServiceRequest {
    fileprivate var document: JSONDocument {
        get throws { try JSONReader.document(Array((content ?? "null").utf8)) }
    }

    fileprivate func number(_ name: String) -> Int? {
        query.first { $0.name == name }.flatMap { Int($0.value) }
    }
}
