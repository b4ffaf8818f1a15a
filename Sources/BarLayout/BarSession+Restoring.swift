// The parts of a stored session. The bar computes some of their numbers as sums of a few limited ones, so those may exceed
// `Coordinate.limit`. Numbers from a store only have to be finite.

extension BarSession.Snapshot {
    /// A snapshot with all its values.
    package init(
        state: BarState,
        scrollable: Scrollable,
        previousContentOffset: Point?,
        previousContentSize: Size?,
        baseInsetBottom: Double
    ) throws(BarLayoutError) {
        self.init(state: state, scrollable: scrollable)
        self.previousContentOffset = previousContentOffset
        self.previousContentSize = previousContentSize
        self.baseInsetBottom = try Coordinate.finite(baseInsetBottom, "baseInsetBottom")
    }
}

extension BarState {
    /// A stored state.
    package init(
        restoring offset: Double,
        isExpandedStateAvailable: Bool,
        configuration: BarConfiguration
    ) throws(BarLayoutError) {
        self.init(
            offset: try Coordinate.finite(offset, "offset"),
            isExpandedStateAvailable: isExpandedStateAvailable,
            configuration: configuration
        )
    }
}

extension Point {
    /// A stored point.
    package init(restoringX x: Double, y: Double) throws(BarLayoutError) {
        self.init(computedX: try Coordinate.finite(x, "x"), y: try Coordinate.finite(y, "y"))
    }
}

extension EdgeInsets {
    /// Stored insets.
    package init(restoringTop top: Double, left: Double, bottom: Double, right: Double) throws(BarLayoutError) {
        try self.init(top: 0, left: left, bottom: 0, right: right)
        self.top = try Coordinate.finite(top, "top")
        self.bottom = try Coordinate.finite(bottom, "bottom")
    }
}

extension BarCommand {
    /// A stored command.
    package init(restoring scrollableID: String, target: Point, animated: Bool, spring: SnapSpring?) {
        self.init(scrollableID: scrollableID, target: target, animated: animated, spring: spring)
    }
}

extension SnapSpring {
    /// A stored spring.
    package init(restoring dampingRatio: Double, response: Double, relativeVelocity: Double) throws(BarLayoutError) {
        self.init(
            dampingRatio: try Coordinate.finite(dampingRatio, "dampingRatio"),
            response: try Coordinate.finite(response, "response"),
            relativeVelocity: try Coordinate.finite(relativeVelocity, "relativeVelocity")
        )
    }
}

extension Coordinate {
    /// Returns `value` if it is finite; throws otherwise.
    fileprivate static func finite(_ value: Double, _ member: String) throws(BarLayoutError) -> Double {
        guard value.isFinite else { throw .outOfRange(member) }
        return value
    }
}
