import BarLayout
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// Runs a case of `session.json`: the inputs are the app, the network and the clock.
///
/// `end` and `follow` are those of `Bar`; `BarLifecycleTests` and `BarWatchTests` test them.
final class SessionMachine {
    private var machine: BarMachine
    private var now = 0.0
    private var done: [JSONDocument] = []
    private var connection = "connecting"
    private var frames: [Int] = []
    private var pauses: [(number: Int, seconds: Double)] = []
    private var waiting: [(ServiceResponse?) -> Void] = []
    private var creation: Result<BarReply, SpringbarClient.Problem>?
    private var isEnding = false
    private var isFollowing = false
    private var keys: [String] = []
    private var marks: [Double] = []

    init(_ definition: BarDefinition, queueLimit: Int) {
        machine = BarMachine(definition, queueLimit: queueLimit, random: SystemRandomNumberGenerator())
    }

    /// Gives an input; returns what follows from it, the shown bar and the pauses in seconds.
    func give(_ input: JSONDocument.Member) throws -> (does: JSONDocument, shown: JSONDocument, pauses: [Double]) {
        switch input.name {
        case "start": perform(machine.wake())
        case "send":
            for event in input.value.array ?? [] {
                now += 1
                let result = try machine.show(try BarEvent(event), now: now)
                report(result.commands)
                perform(machine.wake())
            }
        case "refused":
            let event = try BarEvent(input.value)
            #expect(throws: Problem.self) { try machine.show(event, now: now) }
        case "setTracks":
            try machine.setTracks(try input.value.members.map { try TrackChange($0) })
            perform(machine.wake())
        case "answer": waiting.removeFirst()(response(input.value))
        case "pauseEnds": perform(machine.pauseEnded(pauses.removeFirst().number))
        case "retry": perform(machine.retry())
        case "sync": perform(machine.sync())
        case "end": end()
        case "follow": follow()
        default: throw UnknownForm()
        }
        while !frames.isEmpty { perform(machine.frame(frames.removeFirst())) }
        pauses.removeAll { machine.phase != .pause($0.number) }
        defer { done = [] }
        return (JSONDocument.array(done).canonical, shown.canonical, pauses.map(\.seconds))
    }

    private var shown: JSONDocument {
        let result = machine.prediction.result()
        let values = result.values.map { JSONDocument.Member(name: $0.name, value: .number($0.number)) }
        return .object([
            "height": result.state.height, "isExpandedStateAvailable": result.state.isExpandedStateAvailable,
            "contentInsetTop": result.contentInset.top, "values": JSONDocument.object(values),
            "pending": machine.queue.pending.count, "lastSequence": machine.queue.sequence, "connection": connection,
        ])
    }

    private func perform(_ actions: [BarMachine.Action]) {
        for action in actions {
            switch action {
            case .request(let number, let request, let kind):
                record(request)
                waiting.append { [unowned self] response in finish(number, kind, response) }
            case .waitForFrame(let number): frames.append(number)
            case .pause(let number, let seconds, _):
                pauses.append((number, seconds))
                connection = "waiting"
            case .delete(let id): delete(id)
            case .report(let update): report(update)
            }
        }
    }

    private func finish(_ number: Int, _ kind: BarRequest, _ response: ServiceResponse?) {
        let result: Result<BarReply, SpringbarClient.Problem>
        do throws(SpringbarClient.Problem) {
            guard let response else { throw Problem(code: "unreachable", detail: "There is no response.") }
            result = .success(try kind.reply(response))
        } catch {
            result = .failure(error)
        }
        if case .create = kind {
            creation = result
            if isEnding { return endCreated() }
        }
        perform(machine.finish(number, result))
    }

    /// As `Bar.end()`.
    private func end() {
        perform(machine.stop())
        isEnding = true
        if let id = machine.id {
            delete(id)
        } else if creation != nil {
            endCreated()
        }
    }

    private func endCreated() {
        switch creation {
        case .success(.bar(let bar)): delete(bar.id ?? "")
        case .failure(let problem) where problem.isTransient:
            let kind = machine.creation
            record(kind.request(id: ""))
            waiting.append { [unowned self] response in finish(0, kind, response) }
        default: break
        }
    }

    private func delete(_ id: String) {
        record(ServiceRequest("DELETE", "/v1/bars/" + id))
        waiting.append { _ in }
    }

    /// As `Connection.watch`, without the pause before the stream of another session.
    private func follow() {
        isFollowing = true
        record(ServiceRequest("GET", "/v1/bars/\(machine.id ?? "")/stream"))
        waiting.append { [unowned self] response in
            guard let response, response.status < 400 else { return perform(machine.hear(revision: .max)) }
            let revision = try? JSONReader.document(response.content)["revision"]?.integer
            perform(machine.hear(revision: revision ?? 0))
        }
    }

    // MARK: The forms of the file

    private func report(_ update: BarUpdate) {
        switch update {
        case .changed(let result): report(result.commands)
        case .corrected(let correction):
            done.append(.object(["correction": JSONDocument.object(["from": correction.from, "to": correction.to])]))
        case .confirmed(let numbers): done.append(.object(["confirm": [numbers.lowerBound, numbers.upperBound]]))
        case .session(let id):
            done.append(.object(["session": id]))
            if isFollowing { follow() }
        case .problem(let problem, let events):
            let detail = JSONDocument.object(["code": problem.code, "events": events.count])
            done.append(.object(["problem": detail]))
        case .connection(.connecting): connection = "connecting"
        case .connection(.online): connection = "online"
        case .connection(.waiting), .settled: break
        }
    }

    private func report(_ commands: [BarCommand]) {
        guard !commands.isEmpty else { return }
        let moves = commands.map { JSONDocument.object(["y": $0.target.y, "animated": $0.animated]) }
        done.append(.object(["commands": moves]))
    }

    private func record(_ request: ServiceRequest) {
        let query = request.query.map { JSONDocument.Member(name: $0.name, value: .string($0.value)) }
        let key = request.fields["Idempotency-Key"].map { number(of: $0, in: &keys) }
        let body = request.content.flatMap { try? JSONReader.document(Array($0.utf8)) }
        let form = JSONDocument.object([
            "method": request.method, "path": request.path, "query": query.isEmpty ? nil : JSONDocument.object(query),
            "key": key, "ifMatch": request.fields["If-Match"], "body": body.map { numbered($0).withDefaults },
        ])
        done.append(.object(["request": form]))
    }

    private func number<Value: Equatable>(of value: Value, in known: inout [Value]) -> Int {
        if !known.contains(value) { known.append(value) }
        return known.firstIndex(of: value)! + 1  // It was appended.
    }

    /// Replaces the marks of events by their numbers.
    private func numbered(_ body: JSONDocument) -> JSONDocument {
        body.mappingEvents { member in
            guard member.name == "timestamp", let mark = member.value.double else { return member }
            return JSONDocument.Member(name: "mark", value: .number(Double(number(of: mark, in: &marks))))
        }
    }

    /// Returns a response of the file, with the marks of events instead of their numbers; nil for none.
    private func response(_ value: JSONDocument) -> ServiceResponse? {
        if let stream = value["stream"] { return ServiceResponse(status: 200, content: Array(stream.text.utf8)) }
        guard let status = value["status"]?.integer else { return nil }
        let body = value["body"]?.mappingEvents { member in
            guard member.name == "mark", let number = member.value.integer else { return member }
            return JSONDocument.Member(name: "timestamp", value: .number(marks[number - 1]))
        }
        var fields = ["content-type": "application/json"]
        fields["retry-after"] = value["retryAfter"]?.string
        return ServiceResponse(status: status, fields: fields, content: Array((body?.text ?? "").utf8))
    }
}

extension JSONDocument {
    /// The same document with the members of objects in the order of their names.
    var canonical: JSONDocument {
        switch self {
        case .array(let values): .array(values.map(\.canonical))
        case .object(let members):
            .object(members.map { Member(name: $0.name, value: $0.value.canonical) }.sorted { $0.name < $1.name })
        default: self
        }
    }

    /// A creation with the defaults of the contract; any other document as it is.
    var withDefaults: JSONDocument {
        guard self["configuration"] != nil else { return self }
        var all = members.filter { $0.name != "scrollable" }
        if let view = self["scrollable"] { all.append(Member(name: "scrollable", value: view.filled(Self.view))) }
        return JSONDocument.object(all).filled(Self.settings)
    }

    private static let none: [Member] = []
    private static let settings = JSONDocument.object([
        "feedback": "applied", "options": JSONDocument.object(none), "tracks": JSONDocument.object(none),
    ])
    private static let view = JSONDocument.object([
        "id": "main", "contentInset": JSONDocument.object(["top": 0, "left": 0, "bottom": 0, "right": 0]),
    ])

    private func filled(_ defaults: JSONDocument) -> JSONDocument {
        .object(members + defaults.members.filter { self[$0.name] == nil })
    }

    /// The same document with other members of its `events`.
    func mappingEvents(_ change: (Member) -> Member) -> JSONDocument {
        guard let events = self["events"]?.array else { return self }
        let changed = events.map { JSONDocument.object($0.members.map(change)) }
        return .object(members.map { $0.name == "events" ? Member(name: "events", value: .array(changed)) : $0 })
    }
}
