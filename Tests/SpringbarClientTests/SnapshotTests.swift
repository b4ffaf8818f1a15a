import BarLayout
import Foundation
import TestSupport
import Testing

@testable import SpringbarClient

/// A session that has ended is replaced by one that goes on from a snapshot: nothing on the screen changes.
@Suite("Snapshots of a bar")
struct SnapshotTests {
    @Test("A bar made from the snapshot of another one goes on alike, on the service and in the client")
    func goesOn() throws {
        let service = ServiceInProcess()
        var stretched = 0
        for seed in 1...300 as ClosedRange<UInt64> {
            var source = RandomBar(seed: seed)
            let definition = try source.definition()
            var bar = definition.attached().session
            let id = try service.create(definition.json)
            try service.post(try source.events(Int(seed % 30), to: &bar), to: id)

            let snapshot = try #require(try service.read(id)["snapshot"])
            #expect(snapshot == bar.snapshot.json, "seed \(seed)")
            #expect(try BarSession.Snapshot(snapshot, configuration: bar.configuration) == bar.snapshot)

            let other = BarDefinition(continuing: bar, ttlSeconds: nil)
            #expect(other.attached().session == bar && other.attached().outcome.commands.isEmpty)
            let created = try service.create(other.json)
            stretched += bar.state.height > bar.configuration.expandedStateHeight ? 1 : 0
            let events = try source.events(20, to: &bar)
            let (kept, anew) = (try service.post(events, to: id), try service.post(events, to: created))
            #expect(kept == anew, "seed \(seed)")
            for one in [id, created] {
                #expect(try service.read(one)["snapshot"] == bar.snapshot.json, "seed \(seed)")
            }
        }
        #expect(stretched > 0, "some were stretched beyond their limit")
    }

    /// What a session lost when it was restored by events: each made the bar jump, or a later event move it otherwise.
    @Test(
        "A session that is lost goes on",
        arguments: [
            ([.scroll(-200), .size(4800), .scroll(-150), .scroll(-101)], [.size(4800), .scroll(-100)]),
            (
                [.scroll(-200), BarEvent(.expand(true)), BarEvent(.expand(false))],
                [.scroll(-300), .scroll(-260)]
            ),
            ([.scroll(-200), .insets(220, 0), .scroll(-150)], [.scroll(-210), .scroll(-220)]),
            ([.scroll(-200), .insets(200, 34), .scroll(4200)], [.size(700), .scroll(-50)]),
            ([], [.scroll(-200), .scroll(-150)]),
            (
                [.scroll(-200), .pan(.began), .scroll(-280), .pan(.began)],
                [.scroll(-270), .pan(.ended)]
            ),
        ] as [([BarEvent], [BarEvent])]
    )
    func lost(before: [BarEvent], after: [BarEvent]) throws {
        var definition = try BarDefinition.feed()
        definition.options.fixes = .baseInset
        var kept = definition.attached().session
        let world = try World(definition)
        for event in before {
            try world.bar.send(event)
            _ = try kept.apply(event)
        }
        #expect(world.bar.settle())
        world.service.kill()
        let changes = world.changes
        for event in after {
            let expected = try kept.apply(event)
            #expect(try world.bar.send(event).commands == expected.commands)
        }
        #expect(world.bar.settle())
        #expect(world.bar.machine.prediction.shown == kept)
        #expect(world.stored == kept)
        #expect(world.sessions.count == 2 && world.changes == changes)
        #expect(world.corrections.isEmpty && world.problems.isEmpty)
    }
}

extension RandomBar {
    /// Applies events to a bar; returns those that it accepts.
    fileprivate mutating func events(_ count: Int, to bar: inout BarSession) throws -> [BarEvent] {
        var events: [BarEvent] = []
        while events.count < count {
            let event = try event()
            guard (try? bar.apply(event)) != nil else { continue }
            events.append(event)
        }
        return events
    }
}

extension ServiceInProcess {
    fileprivate func create(_ definition: JSONDocument) throws -> String {
        let request = ServiceRequest(method: "POST", path: "/v1/bars", content: definition.text)
        return try #require(try respond(to: request).document()["id"]?.string)
    }

    fileprivate func read(_ id: String) throws -> JSONDocument {
        try respond(to: ServiceRequest(method: "GET", path: "/v1/bars/" + id)).document()
    }

    /// Posts events; returns the answer without what differs between two bars.
    @discardableResult
    fileprivate func post(_ events: [BarEvent], to id: String) throws -> JSONDocument? {
        guard !events.isEmpty else { return nil }
        let list = events.map { event -> JSONDocument in
            .object(event.json(sequence: 0).members.filter { $0.name != "sequence" })
        }
        let request = ServiceRequest(
            method: "POST",
            path: "/v1/bars/" + id + "/events",
            query: [.init(name: "results", value: "all")],
            content: JSONDocument.object(["events": list]).text
        )
        return try respond(to: request).document().without(["id", "sequence", "lastSequence", "revision"])
    }
}

extension JSONDocument {
    /// The document without the members of these names; those of a view are kept.
    fileprivate func without(_ names: Set<String>) -> JSONDocument {
        switch self {
        case .array(let values): .array(values.map { $0.without(names) })
        case .object(let members):
            .object(
                members.filter { !names.contains($0.name) }.map { .init(name: $0.name, value: $0.value.without(names)) }
            )
        default: self
        }
    }
}

extension BarEvent {
    // `try!`: the tests use small numbers.
    fileprivate static func size(_ height: Double) -> BarEvent {
        BarEvent(.contentSize(try! Size(width: 375, height: height)))
    }

    fileprivate static func insets(_ top: Double, _ bottom: Double) -> BarEvent {
        BarEvent(.contentInset(try! EdgeInsets(top: top, left: 0, bottom: bottom, right: 0)))
    }

    fileprivate static func pan(_ state: PanGestureState) -> BarEvent {
        BarEvent(.panGesture(state, velocity: nil))
    }
}
