/// The button of the calculator: it lights up at once, so that it feels quick, and fades out, so that it feels soft.
package struct CalculatorButton: Sendable, Equatable {
    /// UIKit's control events.
    package enum Event: String, Sendable, CaseIterable {
        case touchDown, touchDragEnter, touchDragExit, touchUpInside, touchUpOutside, touchCancel
    }

    /// What is seen, or faded to.
    package enum State: String, Sendable {
        case normal, highlighted
    }

    /// What is to be done with the background.
    package enum Action: String, Sendable {
        /// Stop a running fade and highlight without animation.
        case highlight
        /// Fade to normal over `fadeDuration`, easing out; the user may interrupt it.
        case fade
        case none
    }

    /// Seconds.
    package static let fadeDuration = 0.5

    package private(set) var state = State.normal
    /// How often the button was tapped.
    package private(set) var taps = 0

    package init() {}

    /// Takes an event in.
    package mutating func on(_ event: Event) -> Action {
        switch event {
        case .touchDown, .touchDragEnter:
            state = .highlighted
            return .highlight
        case .touchUpInside:
            taps += 1
            state = .normal
            return .fade
        case .touchDragExit, .touchCancel:
            state = .normal
            return .fade
        case .touchUpOutside:
            // It has no handler: the finger has left before, and the fade is under way.
            return .none
        }
    }
}
