import BarLayout
import Testing

@testable import SpringbarClient

/// A session that has ended is replaced by one that goes on from a snapshot: nothing on the screen changes.
@Suite("Snapshots of a bar")
struct SnapshotTests {
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
