import BarFeature
import BarLayout
import SpringbarService
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// Each test checks one rule of a session, in simulated time.
@Suite("The state machine of a session")
struct BarMachineTests {
    @Test("One request is in flight at a time, and a batch has at most 500 events")
    func batches() throws {
        let world = try World()
        for index in 0..<1201 { try world.bar.send(.scroll(Double(index % 7))) }
        #expect(world.bar.settle())
        #expect(world.posts.map(\.events.count) == [500, 500, 201])
        #expect(world.posts.map(\.events.first) == [1, 501, 1001])
        #expect(zip(world.posts, world.posts.dropFirst()).allSatisfy { $1.at > $0.at + 0.016 })
    }

    @Test("A late result is ignored")
    func late() throws {
        var machine = BarMachine(try .feed())
        guard case .request(let number, _, _)? = machine.wake().first else { throw UnknownForm() }
        let timeout = SpringbarClient.Problem(code: "timeout", detail: "")
        #expect(!machine.finish(number, .failure(timeout)).isEmpty)
        #expect(machine.finish(number, .failure(timeout)).isEmpty)
    }

    @Test("Another writer's events are adopted, and its commands and the correction are reported")
    func another() throws {
        let world = try World()
        try world.bar.send(.scroll(-200))
        #expect(world.bar.settle())
        world.post([NumberedEvent(sequence: 2, event: BarEvent(.expand(true)))])
        try world.bar.send(.scroll(-201))
        #expect(world.bar.settle())
        let correction = try #require(world.corrections.first)
        #expect(correction.to > correction.from)
        #expect(correction.residue(after: 0) == correction.from - correction.to)
        #expect(abs(correction.residue(after: correction.duration + 0.001)) <= 0.01)
        #expect(!correction.result.commands.isEmpty)
        #expect(world.service.bar(world.bar.machine.id)?.session == world.bar.machine.prediction.shown)
    }

    @Test("A client that joins a session does not repeat the commands of its past")
    func joinedAfterCommands() throws {
        let world = try World()
        try world.bar.send(BarEvent(.panGesture(.began, velocity: nil)))
        for y in [-200.0, -150, -140] { try world.bar.send(.scroll(y)) }
        let snap = try world.bar.send(BarEvent(.panGesture(.ended, velocity: nil)))
        #expect(!snap.commands.isEmpty)
        #expect(world.bar.settle())
        let joined = try world.join()
        #expect(joined.settle())
        for case .changed(let result) in joined.updates { #expect(result.commands.isEmpty) }
    }

    @Test("A revision that is heard while the log is read before its state is read, too")
    func heardBeforeState() throws {
        let world = try World()
        try world.bar.send(.scroll(-200))
        #expect(world.bar.settle())
        let joined = try world.join()
        var isFirst = true
        world.network.override = { request in
            guard isFirst, request.path.hasSuffix("/events") else { return nil }
            isFirst = false
            let page = world.service.respond(to: request)
            world.post([NumberedEvent(sequence: 2, event: .scroll(-150))])
            joined.hear(revision: 2)
            return page
        }
        #expect(joined.settle() && joined.machine.queue.sequence == 2)
    }

    @Test("Numbers that the service computes may be larger than those of a client")
    func computedNumbers() throws {
        var definition = try BarDefinition.feed()
        definition.options.fixes = .baseInset
        let world = try World(definition)
        try world.bar.send(BarEvent(.contentInset(try EdgeInsets(top: 1e9, left: 0, bottom: 0, right: 0))))
        let result = try world.bar.send(BarEvent(.expand(true)))
        #expect(result.contentInset.top > 1e9 && result.commands.contains { $0.target.y < -1e9 })
        #expect(world.bar.settle() && world.stored == world.bar.machine.prediction.shown)
    }

    @Test("After a failed request of the state, the log is read again")
    func stateFails() throws {
        let world = try World()
        for y in [-200.0, -150] { try world.bar.send(.scroll(y)) }
        #expect(world.bar.settle())
        var isFirst = true
        world.network.override = { request in
            guard request.path.hasSuffix("/states"), isFirst else { return nil }
            isFirst = false
            world.post([NumberedEvent(sequence: 3, event: .scroll(-140))])
            return .problem(503, "overloaded")
        }
        let before = world.network.journal.count
        let joined = try world.join()
        #expect(joined.settle())
        let paths = world.network.journal.dropFirst(before).compactMap { $0.request.path.split(separator: "/").last }
        #expect(paths == ["events", "states", "events", "states"])
        #expect(joined.machine.queue.sequence == 3)
        #expect(joined.machine.prediction.shown == world.stored)
    }
}
