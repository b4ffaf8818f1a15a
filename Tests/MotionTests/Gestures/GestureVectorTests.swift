import Motion
import Testing

@Suite("Golden cases of gestures")
struct GestureVectorTests {
    @Test("pause", arguments: VectorCase.suite("gesture.pause"))
    func pause(vector: VectorCase) throws {
        var detector = PauseDetector(mode: try #require(GestureVariant(rawValue: vector.input["mode"]!.text!)))
        let fired = vector.list("samples").map { sample in
            detector.on(velocity: sample["velocity"]!.number!, offset: sample["offset"]!.number!)
        }
        #expect(vector.expect["fired"] == .list(fired.map { .flag($0) }))
    }

    @Test("force button", arguments: VectorCase.suite("gesture.forceButton"))
    func forceButton(vector: VectorCase) throws {
        var button = ForceButton()
        var haptics: [String] = []
        guard case .list(let steps)? = vector.expect["steps"] else { throw VectorError() }
        for (event, expected) in zip(vector.list("events"), steps) {
            let haptic = button.on(
                try #require(ForceButton.Phase(rawValue: event["type"]!.text!)),
                force: event["force"]!.number!,
                distance: event["distance"]!.number!
            )
            if let haptic { haptics.append(haptic.rawValue) }
            guard case .members(let step) = expected else { throw VectorError() }
            #expect(step["state"]?.text == button.state.rawValue)
            #expect(step["on"]?.flag == button.isOn)
            #expect(step["exited"]?.flag == button.hasExited)
            #expect(abs(step["scale"]!.number! - button.scale) <= vector.tolerance * 2)
        }
        #expect(vector.expect["haptics"] == .list(haptics.map { .text($0) }))
    }

    @Test("calculator button", arguments: VectorCase.suite("gesture.calculatorButton"))
    func calculatorButton(vector: VectorCase) throws {
        guard case .list(let events)? = vector.input["events"] else { throw VectorError() }
        var button = CalculatorButton()
        let states = try events.map { event in
            _ = button.on(try #require(CalculatorButton.Event(rawValue: event.text!)))
            return VectorCase.Scalar.text(button.state.rawValue)
        }
        #expect(vector.expect["states"] == .list(states))
        #expect(vector.expect["taps"]?.number == Double(button.taps))
    }

    @Test("drawer during a drag", arguments: VectorCase.suite("gesture.drawerFraction"))
    func drawerFraction(vector: VectorCase) throws {
        let fraction = try drawer(vector).fraction(
            translationY: vector.number("translationY"),
            progress: vector.number("progress")
        )
        #expect(vector.accepts(fraction, "fraction"))
    }

    @Test("drawer at its release", arguments: VectorCase.suite("gesture.drawerEnd"))
    func drawerEnd(vector: VectorCase) throws {
        let release = try drawer(vector).release(
            velocityY: vector.number("velocityY"),
            fractionComplete: vector.number("fractionComplete"),
            cap: vector.input["cap"]?.number
        )
        #expect(vector.expect["action"]?.text == (release.relativeVelocity == nil ? "continue" : "spring"))
        #expect(vector.expect["reversed"]?.flag == release.isReversed)
        #expect(vector.accepts(release.relativeVelocity, "relativeVelocity"))
    }

    private func drawer(_ vector: VectorCase) throws -> MomentumDrawer {
        try MomentumDrawer(
            closedTranslationY: vector.number("closedTranslationY"),
            isOpen: vector.input["isOpen"]!.flag!,
            isReversed: vector.input["isReversed"]!.flag!
        )
    }

    @Test("picture in picture", arguments: VectorCase.suite("gesture.pip"))
    func pictureInPicture(vector: VectorCase) throws {
        guard case .list(let corners)? = vector.input["corners"] else { throw VectorError() }
        let picture = PictureInPicture(
            center: .init(vector.numbers("center")),
            velocity: .init(vector.numbers("velocity")),
            corners: corners.map { .init($0.numbers!) },
            deceleration: try Deceleration(rate: vector.number("decelerationRate"))
        )
        for (name, value) in [
            ("projected", picture.projected), ("corner", picture.corner),
            ("relativeVelocity", picture.relativeVelocity),
        ] {
            let expected = vector.expect[name]!.numbers!
            #expect(abs(value.x - expected[0]) <= vector.tolerance * max(1, abs(expected[0])))
            #expect(abs(value.y - expected[1]) <= vector.tolerance * max(1, abs(expected[1])))
        }
    }

    @Test("rotation", arguments: VectorCase.suite("gesture.rotation"))
    func rotation(vector: VectorCase) throws {
        let snap = RotationSnap(
            rotation: vector.number("rotation"),
            velocity: vector.number("velocity"),
            deceleration: try Deceleration(rate: vector.number("decelerationRate")),
            isClamped: vector.input["clamp"]!.flag!
        )
        #expect(vector.accepts(snap.projected, "projected"))
        #expect(vector.accepts(snap.angle, "angle"))
        #expect(vector.accepts(snap.relativeVelocity, "relativeVelocity"))
    }
}

/// A case whose structure differs from its suite.
private struct VectorError: Error {}

extension VectorCase {
    /// Returns the objects of an array of the input.
    fileprivate func list(_ name: String) -> [[String: Scalar]] {
        guard case .list(let list)? = input[name] else { return [] }
        return list.compactMap { if case .members(let members) = $0 { members } else { nil } }
    }
}

extension PictureInPicture.Vector {
    fileprivate init(_ numbers: [Double]) {
        self.init(x: numbers[0], y: numbers[1])
    }
}
