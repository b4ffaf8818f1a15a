import BarLayout
import HTTPExchange
import Primitives
import Testing

@testable import BarFeature
@testable import SpringbarClient
@testable import SpringbarService

/// A session in a simulation without faults.
final class World {
    let time = VirtualTime()
    let service = ServiceInProcess()
    let network: SimulatedNetwork
    let bar: SimulatedBar

    init(_ definition: BarDefinition? = nil, queueLimit: Int = 10_000) throws {
        network = SimulatedNetwork(time, service, seed: 1)
        let definition = try definition ?? .feed()
        bar = SimulatedBar(definition, time: time, network: network, seed: 2, queueLimit: queueLimit)
        bar.start()
    }

    /// The time, the number of events and their first number of each POST of events.
    var posts: [(at: Double, events: (count: Int, first: Int?))] {
        network.journal.filter { $0.request.method == "POST" && $0.request.path.hasSuffix("/events") }.map { entry in
            let document = try? JSONReader.document(Array((entry.request.content ?? "").utf8))
            let events = document?["events"]?.array ?? []
            return (entry.at, (events.count, events.first?["sequence"]?.integer))
        }
    }

    var problems: [SpringbarClient.Problem] {
        bar.updates.compactMap { if case .problem(let problem, _) = $0 { problem } else { nil } }
    }

    /// The bar of the service.
    var stored: BarSession? { service.bar(bar.machine.id)?.session }

    /// The number of changes of the shown bar that were not made by an event of this client.
    var changes: Int {
        bar.updates.reduce(0) { count, update in if case .changed = update { count + 1 } else { count } }
    }

    var corrections: [BarCorrection] {
        bar.updates.compactMap { if case .corrected(let correction) = $0 { correction } else { nil } }
    }

    var connections: [BarConnection] {
        bar.updates.compactMap { if case .connection(let connection) = $0 { connection } else { nil } }
    }

    var confirmed: [ClosedRange<Int>] {
        bar.updates.compactMap { if case .confirmed(let numbers) = $0 { numbers } else { nil } }
    }

    /// Lets the time pass, with all that happens in it.
    func wait(_ seconds: Double) {
        let end = time.now + seconds
        time.after(seconds) {}
        _ = time.run { time.now >= end }
    }

    var sessions: [String] {
        bar.updates.compactMap { if case .session(let id) = $0 { id } else { nil } }
    }

    /// The events of the service's log.
    func log() throws -> [NumberedEvent] {
        let request = BarRequest.log(after: 0)
        let reply = try request.reply(service.respond(to: request.request(id: bar.machine.id ?? "")))
        guard case .page(let page) = reply else { return [] }
        return page.entries.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    /// Posts events as another writer.
    func post(_ events: some Sequence<NumberedEvent>) {
        _ = service.respond(to: BarRequest.post(Array(events)).request(id: bar.machine.id ?? ""))
    }
}

extension ServiceInProcess {
    /// Stores a new bar under a given id, as a store that has lost its last writes has it.
    func create(_ definition: BarDefinition, id: String) throws {
        let record = BarRecord(session: definition.attached().session, ttlSeconds: 900, now: WallTime(milliseconds: 0))
        let id = try #require(BarID(id))
        _ = try sessions.store.create(record, as: id, key: nil, memory: .unlimited(), now: WallTime(milliseconds: 0))
    }
}

extension ServiceResponse {
    static func problem(
        _ status: Int,
        _ code: String,
        _ fields: [String: String] = [:],
        errors pointer: String? = nil
    ) -> ServiceResponse {
        let errors = pointer.map { #","errors":[{"pointer":"\#($0)","detail":"must be smaller"}]"# } ?? ""
        return ServiceResponse(
            status: status,
            fields: fields.merging(["content-type": "application/problem+json"]) { first, _ in first },
            content: Array(#"{"type":"/problems/\#(code)","status":\#(status)\#(errors)}"#.utf8)
        )
    }
}
