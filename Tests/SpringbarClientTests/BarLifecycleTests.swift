import BarLayout
import Foundation
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// The beginning and the end of a session, its connection, and what it reports.
@Suite("The life of a session")
struct BarLifecycleTests {
    @Test("A session that ends before it is created does not live on", .timeLimit(.minutes(1)))
    @MainActor
    func endedBeforeCreated() async throws {
        let service = GatedService()
        let bar = Springbar(transport: service).bar(try .feed())
        try bar.send(.scroll(-200))
        try await waitUntil { service.gate.starts > 0 }
        #expect(bar.id == nil)
        let ending = Task { try await bar.end() }
        // The end is in progress before the creation has its answer.
        await #expect(throws: Problem.self) { try await bar.settled() }
        service.gate.open()
        try await ending.value
        #expect(await service.requests.map(\.method) == ["POST", "DELETE"])
        #expect(await service.requests.last?.path == "/v1/bars/a")
    }

    @Test("A creation whose response was lost is sent again with its key at the end", .timeLimit(.minutes(1)))
    @MainActor
    func endedAfterLostCreation() async throws {
        let service = GatedService(lost: 1)
        let bar = Springbar(transport: service).bar(try .feed())
        try await waitUntil { service.gate.starts > 0 }
        let ending = Task { try await bar.end() }
        await #expect(throws: Problem.self) { try await bar.settled() }
        service.gate.open()
        try await ending.value
        #expect(await service.requests.map(\.method) == ["POST", "POST", "DELETE"])
        let keys = await service.requests.compactMap { $0.fields["Idempotency-Key"] }
        #expect(keys.count == 2 && keys.first == keys.last)
    }

    @Test("Updates finish when the session is ended", .timeLimit(.minutes(1)))
    @MainActor
    func updatesFinish() async throws {
        let service = GatedService()
        service.gate.open()
        let bar = Springbar(transport: service).bar(try .feed())
        let updates = bar.updates
        try await bar.end()
        for await _ in updates {}
        for await _ in bar.updates { Issue.record("There is an update after the end.") }
    }

    @Test("Updates finish when the bar is no longer referred to", .timeLimit(.minutes(1)))
    @MainActor
    func updatesOfDroppedBar() async throws {
        var bar: Bar? = Springbar(transport: GatedService()).bar(try .feed())
        let updates = try #require(bar?.updates)
        try bar?.send(.scroll(-150))
        bar = nil
        var count = 0
        for await _ in updates { count += 1 }
        #expect(count == 1)
    }

    @Test("A dropped observation hears nothing more, and one that has ended neither")
    @MainActor
    func observations() throws {
        let bar = Springbar(transport: GatedService()).bar(try .feed())
        var heard: [Double] = []
        var observation: BarObservation? = bar.observe { update in
            if case .changed(let result) = update { heard.append(result.state.height) }
        }
        try bar.send(.scroll(-200))
        try bar.send(.scroll(-190))
        observation = nil
        try bar.send(.scroll(-180))
        #expect(heard == [200, 190] && observation == nil)
        let other = bar.observe { _ in heard.append(0) }
        other.end()
        try bar.send(.scroll(-170))
        #expect(heard == [200, 190])
    }

    @Test("The connection is online, waits until a time that it tells, and is connecting")
    func connection() throws {
        let world = try World()
        #expect(world.bar.settle() && world.connections == [.online])
        world.network.isUp = false
        try world.bar.send(.scroll(-100))
        #expect(world.time.run { world.connections.count == 2 })
        guard case .waiting(let end, let problem)? = world.connections.last else { throw UnknownForm() }
        #expect(problem.code == "unreachable" && end.timeIntervalSince1970 > world.time.now)
        #expect(world.time.run { world.connections.count == 3 })
        #expect(world.connections.last == .connecting)
        #expect(abs(world.time.now - end.timeIntervalSince1970) < 1e-3)
        world.network.isUp = true
        #expect(world.bar.settle() && world.connections.last == .online)
    }

    @Test("An answer after an outage lets the next fault start with a short wait", arguments: [false, true])
    func shortWait(isLost: Bool) throws {
        let world = try World()
        try world.bar.send(.scroll(-200))
        #expect(world.bar.settle())
        if isLost { world.service.kill() }
        world.network.isUp = false
        try world.bar.send(.scroll(-100))
        world.wait(120)
        // A refusal is followed by a creation, a success by a change of tracks; the first of them fails.
        let resource = isLost ? "/v1/bars" : "/tracks"
        var (answered, faults, repeated) = (0.0, 0, 0.0)
        world.network.override = { request in
            if !request.path.hasSuffix(resource) {
                if answered == 0 { answered = world.time.now }
                return nil
            }
            faults += 1
            if faults == 1 { return .problem(503, "overloaded") }
            repeated = world.time.now
            return nil
        }
        world.network.isUp = true
        #expect(world.time.run { answered > 0 })
        if !isLost { try world.bar.setTracks([.set(.shift)]) }
        #expect(world.bar.settle())
        #expect(repeated > answered && repeated - answered < 1)
    }

    @Test("Tracks whose names differ only in their normalization are two tracks")
    func normalizedNames() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let world = try World()
        world.network.isUp = false
        for (name, value) in [(composed, 1.0), (decomposed, 2)] {
            let curve = Track.Curve.ranges(compactNormal: .value(value), normalExpanded: .value(value))
            try world.bar.setTracks([.set(Track(name: name, curve: curve))])
        }
        world.network.isUp = true
        #expect(world.bar.settle())
        #expect(world.stored?.tracks == world.bar.machine.prediction.shown.tracks)
        let shown = world.bar.machine.prediction.result()
        #expect(shown[composed] == 1)
        #expect(shown[decomposed] == 2)
        try world.bar.setTracks([.remove(decomposed)])
        #expect(world.bar.machine.prediction.result()[composed] == 1)
    }

    @Test("Of several changes of a track in a list, the last one counts")
    func lastChange() throws {
        let world = try World()
        try world.bar.setTracks([.set(.shift), .remove("shift")])
        #expect(world.bar.machine.prediction.shown.tracks.all.isEmpty)
        try world.bar.setTracks([.remove("shift"), .set(.shift)])
        #expect(world.bar.settle() && world.bar.machine.prediction.shown.tracks.all == [.shift])
        #expect(world.stored?.tracks == world.bar.machine.prediction.shown.tracks)
    }

    @Test("A bar that is continued by its id has the values of tracks that this client does not know")
    func continuedValues() throws {
        var definition = try BarDefinition.feed()
        try definition.tracks.apply([.set(.shift)])
        let world = try World(definition)
        for y in [-200.0, -150] { try world.bar.send(.scroll(y)) }
        #expect(world.bar.settle())
        let other = try world.join()
        #expect(other.settle())
        #expect(other.machine.prediction.result()["shift"] == 0.25)
        guard case .changed(let result)? = other.updates.last(where: { if case .changed = $0 { true } else { false } })
        else { throw UnknownForm() }
        #expect(result["shift"] == 0.25)
        try other.send(.scroll(-100))
        #expect(other.settle() && other.machine.prediction.result()["shift"] == 0)
        try other.setTracks([.remove("shift")])
        #expect(other.settle() && other.machine.prediction.result().values.isEmpty)
        // The answer to an event has the value before the log tells of the track.
        try world.bar.setTracks([.set(.shift)])
        #expect(world.bar.settle())
        try other.send(.scroll(-150))
        #expect(other.settle() && other.machine.prediction.result().values.map(\.name) == ["shift"])
    }

    @Test("A track of a continued session that another writer removes is not shown any more")
    func foreignTrackIsRemoved() throws {
        var definition = try BarDefinition.feed()
        try definition.tracks.apply([.set(.shift)])
        let world = try World(definition)
        #expect(world.bar.settle())
        let id = world.bar.machine.id
        let other = SimulatedBar(try .feed(), id: id, time: world.time, network: world.network, seed: 9)
        other.start()
        #expect(other.settle() && other.machine.prediction.result()["shift"] == 0.5)
        try world.bar.setTracks([.remove("shift")])
        #expect(world.bar.settle())
        other.sync()
        #expect(other.settle() && other.machine.prediction.result().values.isEmpty)
        guard case .changed(let result)? = other.updates.last(where: { if case .changed = $0 { true } else { false } })
        else { throw UnknownForm() }
        #expect(result.values.isEmpty)
    }

    @Test("Tracks of a bar that was made again under its id are set: its tag is more than the revision")
    func repeatedCreation() throws {
        let world = try World()
        let creation = BarRequest.create(try .feed(), key: "k")
        func create() throws -> String? {
            guard case .bar(let bar) = try creation.reply(world.service.respond(to: creation.request(id: ""))) else {
                return nil
            }
            return bar.id
        }
        let id = try #require(try create())
        _ = world.service.respond(to: ServiceRequest("DELETE", "/v1/bars/" + id))
        #expect(try create() == id)
        let bar = try world.join(id)
        for change in [TrackChange.set(.shift), .remove("shift")] {
            try bar.setTracks([change])
            #expect(bar.settle())
        }
        #expect(bar.machine.prediction.revision == 2)
        #expect(world.service.respond(to: BarRequest.read.request(id: id)).fields["etag"] == "\"2-1\"")
    }
}

/// A service with one bar, `a`, that holds its answers back until its gate is opened.
private actor GatedService: Transport {
    let gate = Gate()
    private(set) var requests: [ServiceRequest] = []
    private var lost: Int

    /// The responses to the first `lost` creations do not arrive.
    init(lost: Int = 0) {
        self.lost = lost
    }

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        requests.append(request)
        await gate.wait()
        guard request.method == "POST" else { return ServiceResponse(status: 204) }
        if lost > 0 {
            lost -= 1
            throw Problem(code: "unreachable", detail: "The response is lost.")
        }
        return .response(
            [:],
            """
            {"id":"a","revision":0,"lastSequence":0,"commands":[],"state":{"offset":-200,"isExpandedStateAvailable":false},\
            "scrollable":{"id":"feed","contentInset":{"top":200,"bottom":0}}}
            """,
            status: 201
        )
    }
}
