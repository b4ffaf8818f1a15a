/// The flashlight button of the lock screen, which reacts only to an intentional press.
///
/// It takes more force to arm it than to fire it, so a trembling finger does not toggle it twice. An event is one step.
package struct ForceButton: Sendable, Equatable {
    package enum State: String, Sendable {
        case reset, activated, confirmed
    }

    package enum Phase: String, Sendable, CaseIterable {
        case begin, move, end, cancel
    }

    /// Light when the button is armed, medium when it fires.
    package enum Haptic: String, Sendable {
        case light, medium
    }

    /// The force that arms the button.
    package static let activation = 0.5
    /// The force at or below which an armed button fires.
    package static let confirmation = 0.49
    /// The force at or below which the button is ready again.
    package static let reset = 0.4
    /// The radius in points within which a touch is on the button: half of its 50 points, and 20 around it.
    package static let radius = 45.0
    package static let spring = Spring(ratio: 0.4, response: 0.2)

    package private(set) var state = State.reset
    package private(set) var isOn: Bool
    /// Whether the finger has left the button; the rest of its touch is then ignored.
    package private(set) var hasExited = false
    package private(set) var scale = 1.0
    /// Whether the button springs back to its size: from the end of a touch, or its exit, until the next press.
    package private(set) var isSpringingBack = false
    /// The whiteness of the background from 0 to 1; an unlit button darkens under the finger.
    package private(set) var whiteness: Double

    package init(isOn: Bool = false) {
        self.isOn = isOn
        whiteness = isOn ? 1 : 0.2
    }

    /// Returns the haptic for a touch; `force` is from 0 to 1, `distance` from the centre in points of the scaled view.
    package mutating func on(_ phase: Phase, force: Double, distance: Double) -> Haptic? {
        if phase == .end || phase == .cancel { return lift() }
        if phase == .begin { hasExited = false }
        guard !hasExited else { return nil }
        guard distance < Self.radius else {
            hasExited = true
            state = .reset
            release()
            return nil
        }
        isSpringingBack = false
        scale = 1 + 0.84 * force
        whiteness = isOn ? 1 : 0.2 - 0.2 * force
        switch state {
        case .reset where force >= Self.activation:
            state = .activated
            return .light
        case .activated where force <= Self.confirmation:
            state = .confirmed
            toggle()
            return .medium
        case .confirmed where force <= Self.reset: state = .reset
        default: break
        }
        return nil
    }

    /// Fires if the button is armed, whether the finger lifts or the system cancels the touch.
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
        (isSpringingBack, scale, whiteness) = (true, 1, isOn ? 1 : 0.2)
    }
}
