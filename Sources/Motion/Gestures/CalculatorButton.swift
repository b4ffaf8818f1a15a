/// A calculator button: it highlights immediately for responsiveness, and fades out smoothly.
package struct CalculatorButton: Sendable, Equatable {
    package enum Event: String, Sendable, CaseIterable {
        case touchDown, touchDragEnter, touchDragExit, touchUpInside, touchUpOutside, touchCancel
    }

    /// The appearance of the button, or the target of its fade.
    package enum State: String, Sendable {
        case normal, highlighted
    }

    package enum Action: String, Sendable {
        /// Stop a running fade and highlight without animation.
        case highlight
        /// Fade to normal over `fadeDuration` with an ease-out curve; the user may interrupt it.
        case fade
        case none
    }

    /// Seconds.
    package static let fadeDuration = 0.5
    package private(set) var state = State.normal
    package private(set) var taps = 0

    package init() {}

    package mutating func on(_ event: Event) -> Action {
        switch event {
        case .touchDown, .touchDragEnter:
            state = .highlighted
            return .highlight
        case .touchUpInside, .touchDragExit, .touchCancel:
            if event == .touchUpInside { taps += 1 }
            state = .normal
            return .fade
        case .touchUpOutside:
            // This event has no handler: `touchDragExit` came before it and started the fade.
            return .none
        }
    }
}
