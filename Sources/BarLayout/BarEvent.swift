/// A change of the attached scroll view, or a request of the client to the bar.
public struct BarEvent: Sendable, Equatable {
    /// What happened.
    public let action: Action
    /// The cause of a move of the content.
    public let source: Source
    /// The view of the event; nil for the attached one.
    public let scrollableID: String?
    /// The time by the client's clock, in seconds; the log keeps it, and no rule reads it.
    public let timestamp: Double?

    /// An event; by default one that the user caused in the attached view.
    public init(_ action: Action, source: Source = .user, scrollableID: String? = nil, timestamp: Double? = nil) {
        self.action = action
        self.source = source
        self.scrollableID = scrollableID
        self.timestamp = timestamp
    }

    /// Whether both are the same event, with ids of the same bytes.
    public static func == (left: BarEvent, right: BarEvent) -> Bool {
        guard left.action == right.action, left.source == right.source, left.timestamp == right.timestamp else {
            return false
        }
        guard let id = left.scrollableID, let other = right.scrollableID else {
            return left.scrollableID == nil && right.scrollableID == nil
        }
        return id.hasBytes(of: other)
    }

    /// The kinds of events; rare and large ones are `indirect`, which keeps a scroll event small.
    public enum Action: Sendable, Equatable {
        /// The content moved.
        case contentOffset(Point)
        /// The size of the content changed.
        case contentSize(Size)
        /// The frame of the view changed. Content that is too short for it gets room.
        indirect case frame(Rect)
        /// The client set the insets. Without the repair `baseInset` no rule reacts until another event reads them.
        indirect case contentInset(EdgeInsets)
        /// The state of the pan gesture changed; the velocity is that of the content offset, in points per second.
        case panGesture(PanGestureState, velocity: Point?)
        /// Expands the bar, or returns it to normal.
        case expand(Bool)
        /// Attaches this view in place of the present one.
        indirect case set(Scrollable)
        /// Configures a view to be shown below the bar in its present state.
        indirect case preconfigure(Scrollable)
    }

    /// The cause of a move of the content.
    public enum Source: String, Sendable {
        /// A gesture or the client.
        case user
        /// The animation of a command of the bar.
        case animation
    }

    /// The states of UIKit's `UIGestureRecognizer.State`.
    public enum PanGestureState: String, Sendable, CaseIterable {
        case possible, began, changed, ended, cancelled, failed
    }
}

/// The effects of one event beside the new state of the session.
public struct BarOutcome: Sendable, Equatable {
    /// The commands, in the order in which the client carries them out.
    public internal(set) var commands: [BarCommand] = []
    /// The states that the bar reached or passed, in order; a client may play a haptic tick for each.
    public internal(set) var crossings: [Crossing] = []
    /// The insets of the view of a `preconfigure` event; nil for other events.
    public internal(set) var preconfigured: Preconfigured?
    /// How the event led to the state; nil unless it was asked for.
    package internal(set) var explanation: Explanation?

    /// An outcome without effects.
    public init() {}

    /// Adds an explanation, which records the rules from now on.
    mutating func beginExplanation() {
        explanation = Explanation()
    }

    /// Records the rule that applied.
    mutating func explain(_ rule: Explanation.Rule) {
        explanation?.rule = rule
    }
}

/// A move of the content that the client carries out (AirBar: `Scrollable.updateContentOffset(_:animated:)`).
///
/// The client first stops the deceleration of the view.
public struct BarCommand: Sendable, Equatable {
    /// The view to move.
    public let scrollableID: String
    /// The content offset to move to.
    public let target: Point
    /// Whether the move is animated.
    public let animated: Bool
    /// The spring of a projected snap; nil for AirBar's own animation.
    public let spring: SnapSpring?

    /// The duration of AirBar's animation, in seconds: 0.25, or 0 if the move is not animated.
    public var duration: Double { animated ? 0.25 : 0 }

    /// A move of the content of a view.
    public init(scrollableID: String, target: Point, animated: Bool, spring: SnapSpring? = nil) {
        self.scrollableID = scrollableID
        self.target = target
        self.animated = animated
        self.spring = spring
    }
}

/// A spring in the parameters of "Designing Fluid Interfaces" (WWDC 2018).
public struct SnapSpring: Sendable, Equatable {
    /// The damping ratio: 1 is the fastest spring without overshoot.
    public let dampingRatio: Double
    /// The period of the undamped spring, in seconds.
    public let response: Double
    /// The velocity at release, as a fraction of the distance per second; positive towards the target.
    public let relativeVelocity: Double

    /// A spring with the velocity at release.
    public init(dampingRatio: Double, response: Double, relativeVelocity: Double) {
        self.dampingRatio = dampingRatio
        self.response = response
        self.relativeVelocity = relativeVelocity
    }
}

/// The insets that a `preconfigure` event computed for a view.
public struct Preconfigured: Sendable, Equatable {
    /// The view.
    public let scrollableID: String
    /// The insets of its content.
    public let contentInset: EdgeInsets
    /// The top inset of its scroll indicators, in points.
    public let scrollIndicatorInsetTop: Double
}

/// A completed transition between two neighbouring states of the bar.
public struct Crossing: Sendable, Equatable {
    /// The state that the bar left.
    public let from: BarLevel
    /// The state that the bar reached.
    public let to: BarLevel

    /// Whether the bar became taller.
    public var isExpanding: Bool { from == .compact || to == .expanded }

    /// Distances below this, in points, are rounding errors: the bar counts as at rest in the state.
    static let tolerance = 1e-6

    private static let expanding = [Crossing(from: .compact, to: .normal), Crossing(from: .normal, to: .expanded)]
    private static let collapsing = [Crossing(from: .expanded, to: .normal), Crossing(from: .normal, to: .compact)]

    /// Returns the transitions with an end that a bar has reached between two states, in order; none has length 0.
    static func between(_ before: BarState, and after: BarState) -> [Crossing] {
        if before.offset == after.offset { return [] }
        let isExpanding = after.offset < before.offset
        let direction: Double = isExpanding ? -1 : 1
        var crossings: [Crossing] = []
        for crossing in isExpanding ? expanding : collapsing {
            let end = before.configuration.offset(of: crossing.to)
            let hasLength = before.configuration.offset(of: crossing.from) != end
            let missingBefore = (end - before.offset) * direction
            let missingAfter = (end - after.offset) * direction
            if hasLength, missingBefore > tolerance, missingAfter <= tolerance { crossings.append(crossing) }
        }
        return crossings
    }
}

/// How an event led to its outcome.
package struct Explanation: Sendable, Equatable {
    /// The rule that applied.
    package internal(set) var rule = Rule.stored
    /// Every move of the content that the session observed, including those of its own commands.
    package internal(set) var reductions: [Reduction] = []

    /// One pass through the stages; lengths are in points.
    package struct Reduction: Sendable, Equatable {
        package let previousY: Double
        package let y: Double
        /// The difference before the first stage.
        package let deltaY: Double
        /// The difference after each stage.
        package internal(set) var stages: [Stage] = []

        /// A stage and the difference after it.
        package struct Stage: Sendable, Equatable {
            package let name: String
            package let deltaY: Double
        }
    }

    /// Appends a stage to the last pass.
    mutating func addStage(name: String, deltaY: Double) {
        guard let last = reductions.indices.last else { return }
        reductions[last].stages.append(.init(name: name, deltaY: deltaY))
    }

    /// The rules of the controller.
    package enum Rule: String, Sendable {
        case attached, preconfigured
        /// The value is the previous one.
        case duplicate
        /// The first offset after an attachment is remembered and moves nothing.
        case primed
        /// The offset went through the stages.
        case reduced
        /// The offset is a sample of the bar's own animation, the end of which is already applied.
        case ownAnimation
        /// No rule reacts to the value.
        case stored
        case panBegan
        /// The content left its top, so the bar may no longer expand.
        case expansionWithdrawn
        case snapped, alreadyAtRest, expanded, collapsed, ignored
    }
}
