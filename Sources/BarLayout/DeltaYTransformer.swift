// A scroll view reports its content offset. The bar follows by the difference to the previous offset, after a list of
// stages has corrected it (AirBar: `ContentOffsetDeltaYTransformer`, `makeDefaultStateReducer`).

/// A stage; explanations have its name.
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

    /// AirBar's stages; the order of the first two has no effect.
    static let airBar: [DeltaYTransformer] = [.ignoreTop, .ignoreBottom, .cutOut]

    /// The stages of the `overscroll` repair.
    static let overscrollRepaired: [DeltaYTransformer] = [.ignoreOverscroll, .cutOut]

    /// Returns the difference after the stage, in points; a positive one shrinks the bar.
    ///
    /// `deltaY` is the difference after the previous stage, and `state` that before the move. `leastOffset` is that of the
    /// tallest bar to which the move may lead; nil for that of the state.
    package func transform(
        _ deltaY: Double,
        from previousY: Double,
        to y: Double,
        _ geometry: ScrollGeometry,
        _ state: BarState,
        leastOffset: Double? = nil
    ) -> Double {
        switch self {
        case .ignoreTop:
            guard previousY < geometry.startY || y < geometry.startY else { return deltaY }
            return deltaY + min(0, previousY - geometry.startY)
        case .ignoreBottom:
            guard previousY > geometry.endY || y > geometry.endY else { return deltaY }
            return deltaY + max(0, previousY - geometry.endY)
        case .ignoreOverscroll: return geometry.atRest(y) - geometry.atRest(previousY)
        case .cutOut:
            let offset = state.offset + deltaY
            let limited =
                deltaY > 0
                ? min(-state.configuration.compactStateHeight, offset) : max(leastOffset ?? state.leastOffset, offset)
            return limited - state.offset
        }
    }
}
