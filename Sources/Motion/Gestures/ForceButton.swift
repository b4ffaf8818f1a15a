/// The flashlight button of the lock screen: a press that has to be meant.
///
/// Between the force that arms it and the one that sets it off there is a gap, so that a trembling finger does not
/// toggle it twice. Each event takes at most one step.
package struct ForceButton: Sendable, Equatable {
    /// How far a press has come.
    package enum State: String, Sendable {
        case reset, activated, confirmed
    }

    /// What the finger does.
    package enum Phase: String, Sendable, CaseIterable {
        case begin, move, end, cancel
    }

    /// A touch: its force from 0 to 1, and its distance from the button's centre in the scaled view's own points.
    package struct Event: Sendable, Equatable {
        package let phase: Phase
        package let force: Double
        package let distance: Double

        package init(phase: Phase, force: Double, distance: Double) {
            self.phase = phase
            self.force = force
            self.distance = distance
        }
    }

    /// What the device is felt to do.
    package enum Haptic: String, Sendable {
        /// On being armed.
        case light
        /// On being set off.
        case medium
    }

    /// The force that arms.
    package static let activation = 0.5
    /// The force below which an armed button goes off.
    package static let confirmation = 0.49
    /// The force below which it is ready again.
    package static let reset = 0.4
    /// Points within which a finger is on the button: half of its 50, and 20 around it.
    package static let radius = 45.0
    /// The button springs back to its size with damping ratio 0.4 and response 0.2.
    package static let spring = Spring(ratio: 0.4, response: 0.2)

    package private(set) var state = State.reset
    /// Whether the light is on.
    package private(set) var isOn: Bool
    /// Whether the finger has left the button; the rest of its touch is ignored then.
    package private(set) var hasExited = false
    /// The button's scale.
    package private(set) var scale = 1.0
    /// Whether the button springs back to its size: from when the finger lifts, leaves, or is taken away until it
    /// presses again.
    package private(set) var isSpringingBack = false
    /// How white the background is, from 0 to 1; an unlit button darkens under the finger.
    package private(set) var whiteness: Double

    package init(isOn: Bool = false) {
        self.isOn = isOn
        whiteness = isOn ? 1 : 0.2
    }

    /// Takes an event in; gives the haptic to play.
    package mutating func on(_ event: Event) -> Haptic? {
        switch event.phase {
        case .begin:
            hasExited = false
            return press(event)
        case .move:
            return hasExited ? nil : press(event)
        case .end, .cancel:
            return lift()
        }
    }

    private mutating func press(_ event: Event) -> Haptic? {
        guard event.distance < Self.radius else {
            hasExited = true
            state = .reset
            release()
            return nil
        }
        isSpringingBack = false
        scale = 1 + 0.84 * event.force
        whiteness = isOn ? 1 : 0.2 - 0.2 * event.force
        switch state {
        case .reset where event.force >= Self.activation:
            state = .activated
            return .light
        case .activated where event.force <= Self.confirmation:
            state = .confirmed
            toggle()
            return .medium
        case .confirmed where event.force <= Self.reset:
            state = .reset
            return nil
        default:
            return nil
        }
    }

    /// Lifting an armed finger sets it off, and so does a touch that the system cancels.
    private mutating func lift() -> Haptic? {
        let goesOff = !hasExited && state == .activated
        if goesOff { toggle() }
        state = .reset
        release()
        return goesOff ? .medium : nil
    }

    private mutating func toggle() {
        isOn.toggle()
        whiteness = isOn ? 1 : 0.2
    }

    private mutating func release() {
        isSpringingBack = true
        scale = 1
        whiteness = isOn ? 1 : 0.2
    }
}
