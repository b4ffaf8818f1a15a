import BarLayout
import Testing

@testable import BarFeature
@testable import SpringbarClient
@testable import SpringbarService

/// Each test checks one rule of a session, in simulated time.
@Suite("The state machine of a session")
struct BarMachineTests {
    @Test("An event is applied immediately, before the session exists")
    func immediate() throws {
        let world = try World()
        #expect(try world.bar.send(.scroll(-200)).state.height == 200)
        #expect(try world.bar.send(.scroll(-150)).state.height == 150)
        #expect(world.bar.machine.id == nil)
        #expect(world.bar.machine.queue.pending.count == 2)
    }

    @Test("One request is in flight at a time, and a batch has at most 500 events")
    func batches() throws {
        let world = try World()
        for index in 0..<1201 { try world.bar.send(.scroll(Double(index % 7))) }
        #expect(world.bar.settle())
        #expect(world.posts.map(\.events.count) == [500, 500, 201])
        #expect(world.posts.map(\.events.first) == [1, 501, 1001])
        #expect(zip(world.posts, world.posts.dropFirst()).allSatisfy { $1.at > $0.at + 0.016 })
    }

    @Test("An event that the service would refuse is refused and not queued")
    func refused() throws {
        let world = try World()
        let fault = #expect(throws: SpringbarClient.Problem.self) {
            try world.bar.send(BarEvent(.expand(true), scrollableID: "other"))
        }
        #expect(fault?.code == "scrollable-mismatch" && fault?.faults.first?.pointer == "/scrollableId")
        #expect(world.bar.machine.queue.pending.isEmpty)
    }

    @Test("Retry-After is obeyed, and the retry has the same numbers and content")
    func retryAfter() throws {
        let world = try World()
        var refusals = 0
        world.network.override = { request in
            guard request.path.hasSuffix("/events"), refusals < 2 else { return nil }
            refusals += 1
            return .problem(503, "overloaded", ["retry-after": "2"])
        }
        try world.bar.send(.scroll(0))
        #expect(world.bar.settle())
        let posts = world.network.journal.filter { $0.request.path.hasSuffix("/events") }
        #expect(posts.count == 3 && Set(posts.map(\.request.content)).count == 1)
        #expect(2..<2.5 ~= posts[1].at - posts[0].at)
        // Online, twice waiting and connecting again, and online.
        #expect(world.connections.count == 6 && world.connections.last == .online)
    }

    @Test("Pauses grow, have a random part, and end with `retry()`")
    func pauses() throws {
        let world = try World()
        #expect(world.bar.settle())
        world.network.isUp = false
        try world.bar.send(.scroll(0))
        let before = world.network.requests
        #expect(world.time.run { world.time.now > 60 })
        #expect(7...15 ~= world.network.requests - before)
        world.network.isUp = true
        let now = world.time.now
        world.bar.retry()
        #expect(world.bar.settle() && world.time.now - now < 0.2)
    }

    @Test("A late result is ignored")
    func late() throws {
        var machine = BarMachine(try .feed())
        guard case .request(let number, _, _)? = machine.wake().first else { throw UnknownForm() }
        let timeout = SpringbarClient.Problem(code: "timeout", detail: "")
        #expect(!machine.finish(number, .failure(timeout)).isEmpty)
        #expect(machine.finish(number, .failure(timeout)).isEmpty)
    }

    @Test("A service that lost confirmed events gets them again")
    func wentBack() throws {
        let world = try World()
        for y in [-200.0, -190, -180, -170] { try world.bar.send(.scroll(y)) }
        #expect(world.bar.settle())
        let (id, log) = (try #require(world.bar.machine.id), try world.log())
        world.service.kill()
        try world.service.create(.feed(), id: id)
        world.post(log.prefix(2))
        try world.bar.send(.scroll(-160))
        #expect(world.bar.settle())
        #expect(world.service.bar(id)?.lastSequence == 5)
        #expect(world.service.bar(id)?.session == world.bar.machine.prediction.shown)
        #expect(world.problems.isEmpty && world.corrections.isEmpty)
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

    @Test("A session that has ended is created anew with the same bar")
    func createdAnew() throws {
        let world = try World()
        for y in [-200.0, -150, -140] { try world.bar.send(.scroll(y)) }
        #expect(world.bar.settle())
        world.service.kill()
        try world.bar.send(.scroll(-130))
        #expect(world.bar.machine.prediction.shown.state.height == 130)
        #expect(world.bar.settle())
        #expect(world.sessions.count == 2 && world.corrections.isEmpty)
        #expect(world.service.bar(world.sessions.last)?.session.state.height == 130)
    }

    @Test("A client that joins a session gets its present state")
    func joined() throws {
        let world = try World()
        for y in [-200.0, -150, -140] { try world.bar.send(.scroll(y)) }
        try world.bar.setTracks([.set(.shift)])
        #expect(world.bar.settle())
        let id = world.bar.machine.id
        let joined = SimulatedBar(try .feed(), id: id, time: world.time, network: world.network, seed: 9)
        joined.start()
        #expect(joined.settle())
        #expect(joined.machine.prediction.shown == world.service.bar(id)?.session)
        #expect(joined.machine.prediction.revision == world.bar.machine.prediction.revision)
    }

    @Test("A client that joins a session does not repeat the commands of its past")
    func joinedAfterCommands() throws {
        let world = try World()
        try world.bar.send(BarEvent(.panGesture(.began, velocity: nil)))
        for y in [-200.0, -150, -140] { try world.bar.send(.scroll(y)) }
        let snap = try world.bar.send(BarEvent(.panGesture(.ended, velocity: nil)))
        #expect(!snap.commands.isEmpty)
        #expect(world.bar.settle())
        let joined = SimulatedBar(
            try .feed(),
            id: world.bar.machine.id,
            time: world.time,
            network: world.network,
            seed: 9
        )
        joined.start()
        #expect(joined.settle())
        for case .changed(let result) in joined.updates { #expect(result.commands.isEmpty) }
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
        let id = world.bar.machine.id
        let before = world.network.journal.count
        let joined = SimulatedBar(try .feed(), id: id, time: world.time, network: world.network, seed: 9)
        joined.start()
        #expect(joined.settle())
        let paths = world.network.journal.dropFirst(before).compactMap { $0.request.path.split(separator: "/").last }
        #expect(paths == ["events", "states", "events", "states"])
        #expect(joined.machine.queue.sequence == 3)
        #expect(joined.machine.prediction.shown == world.service.bar(id)?.session)
    }

    @Test("An event that the service refuses for good is dropped and reported; the others arrive")
    func dropped() throws {
        let world = try World()
        var count = 0
        world.network.override = { request in
            guard request.path.hasSuffix("/events"), count == 0 else { return nil }
            count += 1
            return .problem(422, "out-of-range", errors: "/events/1/contentOffset/y")
        }
        for y in [-200.0, -150, -140] { try world.bar.send(.scroll(y)) }
        #expect(world.bar.settle())
        #expect(world.problems.map(\.code) == ["out-of-range"])
        #expect(world.service.bar(world.bar.machine.id)?.lastSequence == 2)
    }

    @Test("A batch that is too large is sent in halves")
    func shrinks() throws {
        let world = try World()
        world.network.override = { request in
            (request.content?.utf8.count ?? 0) > 2000 ? .problem(413, "content-too-large") : nil
        }
        for index in 0..<40 { try world.bar.send(.scroll(Double(index))) }
        #expect(world.bar.settle())
        #expect(world.service.bar(world.bar.machine.id)?.lastSequence == 40)
    }

    @Test("A log that is too short drops the events that may have arrived, and reports them")
    func trimmed() throws {
        let world = try World()
        try world.bar.send(.scroll(-200))
        #expect(world.bar.settle())
        try world.bar.send(.scroll(-150))
        // The response is lost, another writer fills the log, and the client tries again.
        world.network.override = { request in
            guard request.path.hasSuffix("/events"), request.method == "POST" else { return nil }
            _ = world.service.respond(to: request)
            let others = (3...900).map { NumberedEvent(sequence: $0, event: .scroll(Double($0 % 50))) }
            world.post(others.prefix(450))
            world.post(others.dropFirst(450))
            world.network.override = { _ in nil }
            return .problem(503, "overloaded")
        }
        #expect(world.bar.settle())
        #expect(world.problems.map(\.code) == ["sequence-trimmed"])
        #expect(world.bar.machine.queue.sequence == 900)
        #expect(world.service.bar(world.bar.machine.id)?.session == world.bar.machine.prediction.shown)
    }

    @Test("A problem without a reaction stops the session until `retry()`")
    func halted() throws {
        let world = try World()
        world.network.override = { _ in .problem(401, "unauthorized") }
        try world.bar.send(.scroll(-200))
        #expect(world.time.run { world.bar.machine.halted != nil })
        #expect(world.problems.map(\.code) == ["unauthorized"])
        world.network.override = { _ in nil }
        world.bar.retry()
        #expect(world.bar.settle() && world.bar.machine.queue.sequence == 1)
    }

    @Test("An event of the stream lets the client read the log, and its end creates a session")
    func heard() throws {
        let world = try World()
        try world.bar.send(.scroll(-200))
        #expect(world.bar.settle())
        world.post([NumberedEvent(sequence: 2, event: BarEvent(.expand(true)))])
        world.bar.hear(2)
        #expect(world.bar.settle() && world.bar.machine.prediction.shown.state.height == 300)
        world.service.kill()
        world.bar.hear(.max)
        #expect(world.bar.settle() && world.sessions.count == 2)
        #expect(world.bar.machine.prediction.shown.state.height == 300)
    }

    @Test("At rest nothing is sent")
    func rest() throws {
        let world = try World()
        #expect(world.bar.settle())
        let requests = world.network.requests
        world.time.after(100) {}
        #expect(world.time.run { world.time.now >= 100 })
        #expect(world.network.requests == requests)
        world.bar.stop()
        world.bar.retry()
        #expect(world.network.requests == requests)
    }
}
