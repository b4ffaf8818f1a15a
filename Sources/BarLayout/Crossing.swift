/// The bar completed a transition between neighbouring states.
package struct Crossing: Sendable, Equatable {
    package let from: BarLevel
    package let to: BarLevel

    package var isExpanding: Bool { from == .compact || to == .expanded }

    /// Less than this, in points, is rounding: the bar is there.
    private static let tolerance = 1e-6

    private static let expanding = [Crossing(from: .compact, to: .normal), Crossing(from: .normal, to: .expanded)]
    private static let collapsing = [Crossing(from: .expanded, to: .normal), Crossing(from: .normal, to: .compact)]

    /// The states reached or passed on the way from one state to another, in order.
    ///
    /// Leaving a state is none: the tick comes when the next one is reached. A transition of no length cannot be
    /// completed.
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
