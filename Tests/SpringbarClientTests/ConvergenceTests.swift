import BarFeature
import BarLayout
import Foundation
import SpringbarService
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// The number of simulated sessions; script/test runs 2,000, and 10,000 other ones run every night.
private let traces = number("SPRINGBAR_TRACES") ?? 600
/// The number of seeds that are left out.
private let skipped = number("SPRINGBAR_SKIPPED_TRACES") ?? 0

/// Returns the value of a variable of the environment.
private func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
}

@Suite("Convergence under faults")
struct ConvergenceTests {
    /// Sessions of an even share of the seeds each, so that a failure is found early.
    @Test(
        "After the last response client and service are equal, and every event was applied once",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func convergence(part: UInt64) throws {
        var (requests, sessions, corrections) = (0, 0, 0)
        let seeds = skipped + (part - 1) * traces / 10 + 1...skipped + part * traces / 10
        for seed in seeds {
            let life = try Life(seed: seed)
            #expect(life.run(), "seed \(seed) settles")
            try life.check(seed)
            requests += life.network.requests
            sessions += life.ids.count
            corrections += life.corrections
        }
        // Every fault has occurred.
        #expect(sessions > seeds.count, "sessions were created anew")
        #expect(requests > 5 * seeds.count)
        #expect(corrections > 0)
    }
}

/// The life of a bar under faults.
private final class Life {
    let network: SimulatedNetwork
    /// The ids of the sessions, and the marks of the events that were pending when each began.
    private(set) var ids: [(id: String, pending: [Double])] = []
    private(set) var corrections = 0
    /// Whether another writer changes the bar; without one the shown bar is never corrected.
    private var hasSecond = false
    private let time = VirtualTime()
    private let service = ServiceInProcess()
    private let bar: SimulatedBar
    private var other: SimulatedBar?
    private let definition: BarDefinition
    private var source: RandomBar
    private var random: SeededGenerator
    /// The marks of the events that were sent, in order.
    private var sent: [Double] = []
    private var dropped: Set<Double> = []
    private var unexpected: [Problem] = []
    private var faults: [any Error] = []
    private var isOver = false
    /// The events of sessions that ended: the service has lost them.
    private var logs: [String: [BarEvent]] = [:]

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed &* 7919)
        source = RandomBar(seed: seed)
        definition = try source.definition()
        network = SimulatedNetwork(time, service, seed: seed + 1)
        bar = SimulatedBar(definition, time: time, network: network, seed: seed)
        bar.observe = { [unowned self] in note($0) }
        bar.start()
        schedule(isEven: seed.isMultiple(of: 2), seed)
    }

    func run() -> Bool { time.run { isOver } }

    private func between(_ least: Double, _ most: Double) -> Double { Double.random(in: least..<most, using: &random) }

    private func chance(_ share: Double) -> Bool { between(0, 1) < share }

    private func note(_ update: BarUpdate) {
        switch update {
        case .session(let id):
            ids.append((id, bar.machine.queue.pending.compactMap(\.event.timestamp)))
        case .problem(let problem, let events):
            // Another writer may have detached the view of an event.
            if problem.code != "scrollable-mismatch" || events.isEmpty { unexpected.append(problem) }
            dropped.formUnion(events.compactMap(\.timestamp))
        case .corrected(let correction):
            corrections += 1
            if !hasSecond { faults.append(Unexpected(correction: correction)) }
        case .changed, .confirmed, .connection, .settled: break
        }
    }

    private func attempt(_ action: () throws -> Void) {
        do {
            try action()
        } catch let problem as Problem where problem.code == "scrollable-mismatch" {
            // An event about a view that is not attached is refused immediately, as by the service.
        } catch {
            faults.append(error)
        }
    }

    private func schedule(isEven: Bool, _ seed: UInt64) {
        // Up to 500 ms in each direction.
        network.faults = .init(
            latency: between(0, 0.5),
            loss: chance(0.5) ? between(0, 0.3) : 0,
            duplication: chance(0.5) ? 0.3 : 0
        )
        hasSecond = chance(0.5)
        let isKilled = chance(0.3)
        var at = 0.0
        for _ in 0..<Int.random(in: 5...45, using: &random) {
            at += chance(0.2) ? between(0, 1.5) : between(0, 0.04)
            time.after(at) { [unowned self] in
                attempt {
                    try bar.send(try source.event())
                    if let mark = bar.machine.queue.pending.last?.event.timestamp { sent.append(mark) }
                }
            }
            if chance(0.03) {
                time.after(at) { [unowned self] in attempt { try bar.setTracks(try source.trackChanges()) } }
            }
            if hasSecond, chance(0.15) {
                time.after(at) { [unowned self] in attempt { try writeAsAnother(seed, isClient: isEven) } }
            }
            if isKilled, chance(0.05) { time.after(at) { [unowned self] in kill() } }
        }
        time.after(at + 5) { [unowned self] in settle() }
    }

    /// Writes without sequence numbers, or as a second client of the same bar.
    private func writeAsAnother(_ seed: UInt64, isClient: Bool) throws {
        guard let id = bar.machine.id, let record = service.bar(id) else { return }
        if isClient {
            if other == nil {
                other = SimulatedBar(definition, id: id, time: time, network: network, seed: seed + 3)
                other?.start()
            }
            if let other, other.machine.id == id {
                try other.send(try source.event())
                return
            }
        }
        let events = try (0..<2).map { try source.event().json(sequence: record.lastSequence + 1 + $0) }
        let content = JSONDocument.object(["events": events]).text
        _ = service.respond(to: ServiceRequest(method: "POST", path: "/v1/bars/\(id)/events", content: content))
        guard chance(0.2), let revision = service.bar(id)?.revision else { return }
        _ = service.respond(to: BarRequest.putTracks(try source.trackChanges(), revision: revision).request(id: id))
    }

    private func kill() {
        keepLogs()
        service.kill()
        network.isUp = false
        time.after(between(0, 3)) { [unowned self] in network.isUp = true }
    }

    /// Keeps the logs of all sessions, because the service forgets them when it is killed.
    private func keepLogs() {
        for (id, _) in ids where service.bar(id) != nil {
            let response = service.respond(to: BarRequest.log(after: 0).request(id: id))
            guard case .page(let page) = try? BarRequest.log(after: 0).reply(response) else { continue }
            logs[id] = page.entries.compactMap { entry in
                if case .event(let event, _) = entry { event } else { nil }
            }
        }
    }

    /// The second client finishes its events, then the first one reads the changes that it has not seen.
    private func settle() {
        network.faults = .init()
        let areSettled = { [unowned self] in other?.machine.isSettled != false && bar.machine.isSettled }
        poll(areSettled) { [unowned self] in
            bar.sync()
            poll(areSettled) { [unowned self] in isOver = true }
        }
    }

    private func poll(_ condition: @escaping () -> Bool, _ action: @escaping () -> Void) {
        if condition() { return action() }
        time.after(0.02) { [unowned self] in poll(condition, action) }
    }

    /// Compares the two sides at the end.
    func check(_ seed: UInt64) throws {
        #expect(faults.isEmpty && unexpected.isEmpty, "seed \(seed): \(faults) \(unexpected)")
        let record = try #require(service.bar(bar.machine.id), "seed \(seed)")
        let prediction = bar.machine.prediction
        // Equal to the last bit, including values that responses do not have.
        #expect(prediction.confirmed == record.session, "seed \(seed)")
        #expect(prediction.shown.snapshot == record.session.snapshot, "seed \(seed)")
        #expect(prediction.shown.tracks == record.session.tracks, "seed \(seed)")
        #expect(prediction.queue.sequence == record.lastSequence, "seed \(seed)")
        #expect(prediction.revision == record.revision, "seed \(seed)")

        keepLogs()
        var missing = Set(sent).subtracting(dropped)
        for (index, session) in ids.enumerated() {
            let own = (logs[session.id] ?? []).compactMap(\.timestamp).compactMap(sent.firstIndex(of:))
            #expect(zip(own, own.dropFirst()).allSatisfy(<), "seed \(seed): in order, none twice")
            // A new session gets only the events that the one before had not confirmed.
            let left = session.pending.compactMap(sent.firstIndex(of:)).min() ?? .max
            #expect(index == 0 || own.first ?? .max >= left, "seed \(seed): none again")
            missing.subtract(own.map { sent[$0] })
        }
        #expect(missing.isEmpty, "seed \(seed): none is lost")
    }
}

/// A correction of a bar with one writer.
private struct Unexpected: Error {
    let correction: BarCorrection
}
