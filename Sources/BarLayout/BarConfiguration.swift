/// The three heights of a bar, in points (AirBar: `Configuration`); a session never changes them.
public struct BarConfiguration: Sendable, Equatable {
    /// The height to which the bar shrinks while the content scrolls down.
    public let compactStateHeight: Double
    /// The initial height, to which the bar returns on any upward scroll.
    public let normalStateHeight: Double
    /// The height to which a pull at the top of the content, or `expand`, opens the bar.
    public let expandedStateHeight: Double

    /// Heights with 0 ≤ compact ≤ normal ≤ expanded ≤ `Coordinate.limit`.
    ///
    /// AirBar accepts any numbers. With descending heights the bar would grow while the content scrolls down.
    ///
    /// - Throws: `outOfRange`, `negativeHeight` or `heightsNotAscending`.
    public init(
        compactStateHeight: Double,
        normalStateHeight: Double,
        expandedStateHeight: Double
    ) throws(BarLayoutError) {
        let compact = try BarConfiguration.checkedHeight(compactStateHeight, "compactStateHeight")
        let normal = try BarConfiguration.checkedHeight(normalStateHeight, "normalStateHeight")
        let expanded = try BarConfiguration.checkedHeight(expandedStateHeight, "expandedStateHeight")
        guard compact <= normal, normal <= expanded else { throw .heightsNotAscending }
        self.compactStateHeight = compact
        self.normalStateHeight = normal
        self.expandedStateHeight = expanded
    }

    /// Heights without errors: each one is at least the one before it, and within the limits; NaN becomes 0.
    public init(compact: Double, normal: Double, expanded: Double) {
        compactStateHeight = max(0, Coordinate.nearest(compact))
        normalStateHeight = max(compactStateHeight, Coordinate.nearest(normal))
        expandedStateHeight = max(normalStateHeight, Coordinate.nearest(expanded))
    }

    private static func checkedHeight(_ height: Double, _ member: String) throws(BarLayoutError) -> Double {
        guard try Coordinate.checked(height, member) >= 0 else { throw .negativeHeight(member) }
        return height
    }

    /// Returns the offset of the bar at rest in a state.
    func offset(of level: BarLevel) -> Double {
        switch level {
        case .compact: -compactStateHeight
        case .normal: -normalStateHeight
        case .expanded: -expandedStateHeight
        }
    }
}

/// The three states in which a bar can rest, from small to tall.
public enum BarLevel: String, Sendable, CaseIterable {
    case compact, normal, expanded
}
