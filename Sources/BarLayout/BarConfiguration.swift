/// The three heights of a bar, in points; fixed for the life of a session (AirBar: `Configuration`).
package struct BarConfiguration: Sendable, Equatable {
    /// The height the bar shrinks to while the content scrolls down.
    package let compactStateHeight: Double
    /// The height the bar begins with, and returns to on any upward scroll.
    package let normalStateHeight: Double
    /// The height a pull at the top of the content, or `expand`, opens the bar to.
    package let expandedStateHeight: Double

    /// Heights with 0 ≤ compact ≤ normal ≤ expanded ≤ `Coordinate.limit`.
    ///
    /// AirBar takes any numbers. Out of order the bar grows while scrolling down, or snaps over by its whole height at
    /// one point of a pull; nobody means that, so it is refused. Equal neighbours are meant, and kept.
    package init(
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

    private static func checkedHeight(_ height: Double, _ member: String) throws(BarLayoutError) -> Double {
        guard try Coordinate.checked(height, member) >= 0 else { throw .negativeHeight(member) }
        return height
    }

    /// The offsets between which a range lies, lesser first, which is the taller bar.
    func offsetBounds(for range: StateRange) -> Bounds {
        switch range {
        case .compactNormal: Bounds(-normalStateHeight, -compactStateHeight)
        case .normalExpanded: Bounds(-expandedStateHeight, -normalStateHeight)
        }
    }

    /// The offset the bar rests at in a state.
    func offset(of level: BarLevel) -> Double {
        switch level {
        case .compact: -compactStateHeight
        case .normal: -normalStateHeight
        case .expanded: -expandedStateHeight
        }
    }
}

/// The three states a bar can rest in, from small to tall.
package enum BarLevel: String, Sendable, CaseIterable {
    case compact, normal, expanded
}
