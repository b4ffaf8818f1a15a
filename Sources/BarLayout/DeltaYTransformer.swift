// A scroll view reports its content offset. The bar follows by the difference to the previous offset, after a list of
// stages has corrected it (AirBar: `ContentOffsetDeltaYTransformer`, `makeDefaultStateReducer`).

/// The input of a stage.
package struct DeltaYParameters: Sendable {
    package let geometry: ScrollGeometry
    package let previousContentOffset: Point
    package let contentOffset: Point
    package let state: BarState
    /// The difference after the previous stage, in points; a positive one shrinks the bar.
    package internal(set) var deltaY: Double

    package init(
        geometry: ScrollGeometry,
        previousContentOffset: Point,
        contentOffset: Point,
        state: BarState,
        deltaY: Double
    ) {
        self.geometry = geometry
        self.previousContentOffset = previousContentOffset
        self.contentOffset = contentOffset
        self.state = state
        self.deltaY = deltaY
    }

    package var configuration: BarConfiguration { state.configuration }
}

/// A stage: a function from a move of the content to a difference in points; explanations have its name.
package enum DeltaYTransformer: String, Sendable {
    /// Subtracts the part of a move that lies above the start of the content.
    ///
    /// As in AirBar, it subtracts the whole previous overshoot on every sample while both offsets are above the start, and
    /// does not trim a move that enters the overshoot (vectors `top.bothAboveWhileNotAtMaximum`,
    /// `top.enteringOverscrollIsNotTrimmed`). The `overscroll` repair avoids both.
    case ignoreTop
    /// Subtracts the part of a move that lies below the end of the content.
    ///
    /// It has the same flaw as ``ignoreTop`` (vector `bottom.bounceCollapses`).
    case ignoreBottom
    /// Returns the difference of the two offsets at rest; replaces both over-scroll stages.
    case ignoreOverscroll
    /// Keeps the bar between compact and the tallest height that is allowed; always the last stage.
    ///
    /// A difference of 0, such as a sideways scroll, takes the branch of an upward move: a bar that is taller than allowed
    /// closes then. The offset is added and subtracted again, as AirBar does, because the rounding is visible.
    case cutOut

    /// AirBar's stages, in order; each gets the difference that the one before it returned.
    ///
    /// The first two read offsets and not the difference, so their order has no effect. `cutOut` must be last.
    static let airBar: [DeltaYTransformer] = [.ignoreTop, .ignoreBottom, .cutOut]

    /// The stages of the `overscroll` repair.
    static let overscrollRepaired: [DeltaYTransformer] = [.ignoreOverscroll, .cutOut]

    /// Returns the difference after the stage, in points.
    package func transform(_ parameters: DeltaYParameters) -> Double {
        let geometry = parameters.geometry
        let (previousY, y) = (parameters.previousContentOffset.y, parameters.contentOffset.y)
        switch self {
        case .ignoreTop:
            guard previousY < geometry.startY || y < geometry.startY else { return parameters.deltaY }
            return parameters.deltaY + min(0, previousY - geometry.startY)
        case .ignoreBottom:
            guard previousY > geometry.endY || y > geometry.endY else { return parameters.deltaY }
            return parameters.deltaY + max(0, previousY - geometry.endY)
        case .ignoreOverscroll:
            return geometry.atRest(y) - geometry.atRest(previousY)
        case .cutOut:
            let offset = parameters.state.offset
            if parameters.deltaY > 0 {
                return min(-parameters.configuration.compactStateHeight, offset + parameters.deltaY) - offset
            }
            return max(parameters.state.leastOffset, offset + parameters.deltaY) - offset
        }
    }
}
