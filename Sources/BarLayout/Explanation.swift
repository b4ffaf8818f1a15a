/// How an event led to what it led to.
package struct Explanation: Sendable, Equatable {
    /// The rule that the event fired.
    package internal(set) var rule: Rule
    /// Every observed move of the content, those by commands of the bar included.
    package internal(set) var reductions: [Reduction] = []

    /// One run through the stages; lengths in points.
    package struct Reduction: Sendable, Equatable {
        package let previousY: Double
        package let y: Double
        /// The plain difference.
        package let deltaY: Double
        package internal(set) var stages: [Stage] = []

        /// What a stage left of it.
        package struct Stage: Sendable, Equatable {
            package let name: String
            package let deltaY: Double
        }
    }

    /// Adds what a stage after the reducer's left of the last delta.
    mutating func addStage(name: String, deltaY: Double) {
        guard let last = reductions.indices.last else { return }
        reductions[last].stages.append(.init(name: name, deltaY: deltaY))
    }

    /// The rules of the controller.
    package enum Rule: String, Sendable {
        /// The view was attached and got ready.
        case attached
        /// The view was got ready.
        case preconfigured
        /// The offset equals the one before.
        case duplicate
        /// The first offset after an attachment is only remembered.
        case primed
        /// The offset went through the stages.
        case reduced
        /// A sample of the bar's own animation, already taken into account.
        case ownAnimation
        /// Kept until another rule reads it.
        case stored
        /// The pan decided whether the bar may expand.
        case panBegan
        /// The content left the top, so the bar may no longer expand.
        case expansionWithdrawn
        /// The bar is between states and goes to one.
        case snapped
        /// The bar rests in a state.
        case alreadyAtRest
        /// Opened or closed by request.
        case expanded, collapsed
        /// Nothing reacts to this.
        case ignored
    }
}
