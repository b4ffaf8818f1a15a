import BarFeature
import BarLayout
import HTTPExchange
import Primitives
import SpringbarService
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// A session in a simulation without faults.
final class World {
    let time = VirtualTime()
    let service = ServiceInProcess()
    let network: SimulatedNetwork
    let bar: SimulatedBar

    init(_ definition: BarDefinition? = nil) throws {
        network = SimulatedNetwork(time, service, seed: 1)
        let definition = try definition ?? .feed()
        bar = SimulatedBar(definition, time: time, network: network, seed: 2)
        bar.start()
    }

    /// Starts another client of a bar; that of this client for nil.
    func join(_ id: String? = nil) throws -> SimulatedBar {
        let joined = SimulatedBar(try .feed(), id: id ?? bar.machine.id, time: time, network: network, seed: 9)
        joined.start()
        return joined
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

    /// Lets the time pass, with all that happens in it.
    func wait(_ seconds: Double) {
        let end = time.now + seconds
        time.after(seconds) {}
        _ = time.run { time.now >= end }
    }

    var sessions: [String] {
        bar.updates.compactMap { if case .session(let id) = $0 { id } else { nil } }
    }

    /// Posts events as another writer.
    func post(_ events: some Sequence<NumberedEvent>) {
        _ = service.respond(to: BarRequest.post(Array(events)).request(id: bar.machine.id ?? ""))
    }
}

extension ServiceResponse {
    static func problem(_ status: Int, _ code: String) -> ServiceResponse {
        ServiceResponse(status: status, json: #"{"type":"/problems/\#(code)","status":\#(status)}"#)
    }
}
