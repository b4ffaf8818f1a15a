import Motion
import SpringConventions
import Testing

/// Edge cases from the table of differences between "Building Fluid Interfaces" and its repository.
@Suite("Edge cases of gestures")
struct GestureTests {
    private func feed(_ detector: inout PauseDetector, _ velocities: [Double], offset: Double = 100) -> [Bool] {
        velocities.map { detector.on(velocity: $0, offset: offset) }
    }

    @Test("a small move after rest is a pause, but a finger that never moved does not pause")
    func pauseFromRest() {
        var detector = PauseDetector(mode: .article)
        #expect(feed(&detector, [0, 0, 0, 0, 0, 0, 0]) == Array(repeating: false, count: 7))
        #expect(feed(&detector, [1]) == [true])
    }

    @Test("a change of direction counts as a loss of more than the whole speed")
    func pauseOnTurn() {
        var detector = PauseDetector(mode: .article)
        #expect(feed(&detector, [99, 99, 99, 99, 99, 99, -99]).last == true)
    }

    @Test("the thresholds of speed and distance are inclusive")
    func pauseThresholds() {
        for (velocity, offset, pauses) in [(100.0, 50.0, true), (100.1, 50, false), (100, 49.9, false)] {
            var detector = PauseDetector(mode: .article)
            _ = feed(&detector, [2000, 2000, 2000, 2000, 2000, 2000], offset: offset)
            #expect(detector.on(velocity: velocity, offset: offset) == pauses)
        }
    }

    @Test("the force button takes one step per event at any force")
    func oneStep() {
        var button = ForceButton()
        #expect(button.on(.begin, force: 1, distance: 0) == .light)
        #expect(button.on(.move, force: 0, distance: 0) == .medium)
        #expect(button.state == .confirmed && button.isOn)
        #expect(button.on(.move, force: 1, distance: 0) == nil)
        #expect(button.state == .confirmed)
        #expect(button.on(.cancel, force: 0, distance: 0) == nil)
        #expect(button.isOn && button.whiteness == 1)
    }

    @Test("a cancelled touch fires an armed button like a lifted finger, but leaving the button does not")
    func cancelling() {
        var button = ForceButton(isOn: true)
        _ = button.on(.begin, force: 0.5, distance: 44.9)
        #expect(button.state == .activated)
        #expect(button.on(.cancel, force: 0, distance: 0) == .medium)
        #expect(button.isOn == false && button.whiteness == 0.2)
        _ = button.on(.begin, force: 0.5, distance: 0)
        #expect(button.on(.move, force: 0.5, distance: 45) == nil)
        #expect(button.hasExited && button.scale == 1)
        #expect(button.on(.end, force: 0, distance: 0) == nil)
        #expect(button.isOn == false)
    }

    @Test("the calculator button highlights immediately and fades out; only a tap inside counts")
    func calculator() {
        var button = CalculatorButton()
        let actions = [CalculatorButton.Event.touchDown, .touchCancel, .touchDown, .touchDragExit, .touchUpOutside]
            .map { button.on($0) }
        #expect(actions == [.highlight, .fade, .highlight, .fade, .none])
        #expect(button.taps == 0)
    }

    @Test("a drawer past its end has a negative relative velocity without a cap")
    func drawerPastItsEnd() throws {
        let drawer = try MomentumDrawer(closedTranslationY: 500, isOpen: false, isReversed: false)
        let release = drawer.release(velocityY: -1000, fractionComplete: 1.001, cap: 30)
        #expect(!release.isReversed)
        #expect(abs(try #require(release.relativeVelocity) + 2000) < 1e-6)
    }

    @Test("of equally near corners the first is chosen; without corners it is the origin")
    func corners() {
        let corners = [(0.0, 0.0), (100, 0), (0, 100), (100, 100)].map { PictureInPicture.Vector(x: $0.0, y: $0.1) }
        let still = PictureInPicture.Vector(x: 0, y: 0)
        let middle = PictureInPicture(center: .init(x: 50, y: 50), velocity: still, corners: corners)
        #expect(middle.corner == corners[0])
        #expect(PictureInPicture(center: .init(x: 50, y: 50), velocity: still, corners: []).corner == still)
    }

    @Test("half a quarter turn is rounded away from zero")
    func rotationTies() {
        #expect(RotationSnap(rotation: .pi / 4, velocity: 0).angle == .pi / 2)
        #expect(RotationSnap(rotation: -.pi / 4, velocity: 0).angle == -.pi / 2)
        #expect(RotationSnap(rotation: 10, velocity: 0).angle == .pi)
        #expect(RotationSnap(rotation: 10, velocity: 0, isClamped: false).angle == 3 * .pi)
    }

    @Test("every preset describes a spring and is the nearest to itself")
    func presets() {
        for preset in Presets.all {
            let nearest = Presets.nearest(to: SpringCurve(preset.spring)).first {
                $0.preset.platform == preset.platform
            }
            #expect(nearest?.distance.maximum == 0, "\(preset.platform) \(preset.name)")
        }
        #expect(Presets.platforms.count == 15)
    }
}
