import BarLayout
import Foundation
import TestSupport

@testable import SpringbarClient

/// Time in seconds, without real waiting, and the actions that are due.
final class VirtualTime {
    private(set) var now = 0.0
    private var due: [Entry] = []
    private var count = 0

    private struct Entry {
        let at: Double
        let order: Int
        let action: () -> Void
    }

    func after(_ delay: Double, _ action: @escaping () -> Void) {
        count += 1
        due.append(Entry(at: now + max(0, delay), order: count, action: action))
    }

    /// Runs the actions in order until the condition holds; returns false if none is left or the time runs out.
    func run(limit: Double = 3600, until isOver: () -> Bool) -> Bool {
        while !isOver() {
            guard let index = due.indices.min(by: { (due[$0].at, due[$0].order) < (due[$1].at, due[$1].order) }),
                due[index].at <= limit
            else { return false }
            let entry = due.remove(at: index)
            now = max(now, entry.at)
            entry.action()
        }
        return true
    }
}

/// A network to the service in process, which delays, loses, repeats and reorders.
final class SimulatedNetwork {
    /// The possible faults: shares from 0 to 1, and the greatest delay of one direction in seconds.
    struct Faults {
        var latency = 0.01
        var loss = 0.0
        var duplication = 0.0
    }

    var faults = Faults()
    var isUp = true
    private(set) var requests = 0
    /// The answer in place of the service's, if any.
    var override: (ServiceRequest) -> ServiceResponse? = { _ in nil }
    private(set) var journal: [(at: Double, request: ServiceRequest)] = []
    private let time: VirtualTime
    private let service: ServiceInProcess
    private var random: SeededGenerator

    init(_ time: VirtualTime, _ service: ServiceInProcess, seed: UInt64) {
        self.time = time
        self.service = service
        random = SeededGenerator(seed: seed)
    }

    private var delay: Double { Double.random(in: 0...faults.latency, using: &random) }

    private func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    /// Sends a request; the first response or the time-out is passed on.
    func send(
        _ request: ServiceRequest,
        timeout: Double,
        _ finish: @escaping (Result<ServiceResponse, Problem>) -> Void
    ) {
        requests += 1
        journal.append((time.now, request))
        var isFinished = false
        let first = { (result: Result<ServiceResponse, Problem>) in
            guard !isFinished else { return }
            isFinished = true
            finish(result)
        }
        time.after(timeout) { first(.failure(Problem(code: "timeout", detail: "The service did not respond."))) }
        for copy in 0..<(chance(faults.duplication) ? 2 : 1) {
            if chance(faults.loss) { continue }
            // A copy may arrive much later than the original, and after other requests.
            time.after(delay * (copy == 0 ? 1 : 5)) { [self] in
                guard isUp else {
                    let refused = Problem(code: "unreachable", detail: "The service did not respond.")
                    return time.after(delay) { first(.failure(refused)) }
                }
                let response = override(request) ?? service.respond(to: request)
                if chance(faults.loss) { return }
                time.after(delay) { first(.success(response)) }
            }
        }
    }
}

/// A session with actions in virtual time.
final class SimulatedBar {
    private(set) var machine: BarMachine
    private(set) var updates: [BarUpdate] = []
    var observe: (BarUpdate) -> Void = { _ in }
    private let time: VirtualTime
    private let network: SimulatedNetwork
    private let timeout: Double

    init(
        _ definition: BarDefinition,
        id: String? = nil,
        time: VirtualTime,
        network: SimulatedNetwork,
        seed: UInt64,
        timeout: Double = 1.5
    ) {
        self.time = time
        self.network = network
        self.timeout = timeout
        machine = BarMachine(definition, id: id, random: SeededGenerator(seed: seed))
    }

    func start() {
        perform(machine.wake())
    }

    @discardableResult
    func send(_ event: BarEvent) throws(Problem) -> BarResult {
        let result = try machine.show(event, now: time.now)
        perform(machine.wake())
        return result
    }

    func setTracks(_ changes: [TrackChange]) throws(Problem) {
        try machine.setTracks(changes)
        perform(machine.wake())
    }

    func sync() { perform(machine.sync()) }

    func hear(revision: Int) { perform(machine.hear(revision: revision)) }

    /// Runs the simulation until everything is confirmed.
    func settle() -> Bool { time.run { machine.isSettled } }

    private func perform(_ actions: [BarMachine.Action]) {
        for action in actions {
            switch action {
            case .request(let number, let request, let kind):
                network.send(request, timeout: timeout) { [weak self] result in
                    guard let self else { return }
                    let reply = result.flatMap { response in
                        Result { () throws(Problem) in try kind.reply(response) }
                    }
                    perform(machine.finish(number, reply))
                }
            case .waitForFrame(let number):
                time.after(1.0 / 60) { [weak self] in self?.onFrame(number) }
            case .pause(let number, let seconds, let problem):
                let end = Date(timeIntervalSince1970: time.now + seconds)
                report(.connection(.waiting(until: end, problem)))
                time.after(seconds) { [weak self] in self?.onPauseEnd(number) }
            case .delete(let id): network.send(.deletion(of: id), timeout: timeout) { _ in }
            case .report(let update): report(update)
            }
        }
    }

    private func report(_ update: BarUpdate) {
        updates.append(update)
        observe(update)
    }

    private func onFrame(_ number: Int) { perform(machine.frame(number)) }

    private func onPauseEnd(_ number: Int) { perform(machine.pauseEnded(number)) }
}
