/// Where the bar is, and whether it may grow past normal (AirBar: `State`).
///
/// Offsets are negative heights: a greater offset is a smaller bar, so that a bar which moves with the content moves by
/// the content's own delta.
package struct BarState: Sendable, Equatable {
    /// Minus the bar's height, in points.
    package internal(set) var offset: Double
    /// Whether the bar may grow from normal to expanded.
    ///
    /// AirBar's equality leaves this out; a change feed that did so would miss changes, so ours does not.
    package internal(set) var isExpandedStateAvailable: Bool
    package let configuration: BarConfiguration

    /// The state a controller begins with: normal, expansion not available.
    init(configuration: BarConfiguration) {
        offset = -configuration.normalStateHeight
        isExpandedStateAvailable = false
        self.configuration = configuration
    }

    /// A state as it was found; for the session, and for whoever tries stages by themselves.
    package init(offset: Double, isExpandedStateAvailable: Bool, configuration: BarConfiguration) {
        self.offset = offset
        self.isExpandedStateAvailable = isExpandedStateAvailable
        self.configuration = configuration
    }

    /// The bar's height, in points.
    package var height: Double { -offset }

    /// The half of the travel that the bar is in; exactly normal belongs to the upper one.
    package var stateRange: StateRange {
        offset > -configuration.normalStateHeight ? .compactNormal : .normalExpanded
    }

    /// How far the bar is open: 0 compact, 1 normal, 2 expanded, linear in between.
    package var transitionProgress: Double {
        let range = stateRange
        return offset.mapped(from: configuration.offsetBounds(for: range), to: range.progressBounds.reversed)
    }

    /// A number that follows the bar, such as an alpha or a position.
    ///
    /// The ranges may be reversed, negative, or disagree at normal.
    package func value(compactNormalRange: ValueRange, normalExpandedRange: ValueRange) -> Double {
        let range = stateRange
        let values = range == .compactNormal ? compactNormalRange : normalExpandedRange
        return transitionProgress.mapped(from: range.progressBounds, to: values.bounds)
    }

    /// The offset of the tallest bar that is allowed now.
    var leastOffset: Double {
        -(isExpandedStateAvailable ? configuration.expandedStateHeight : configuration.normalStateHeight)
    }
}

/// The two halves of the bar's travel.
package enum StateRange: String, Sendable {
    case compactNormal, normalExpanded

    var progressBounds: Bounds {
        switch self {
        case .compactNormal: Bounds(0, 1)
        case .normalExpanded: Bounds(1, 2)
        }
    }
}

/// What a value does over one half of the travel (AirBar: `State.ValueRangeType`).
package enum ValueRange: Sendable, Equatable {
    /// Stays the same.
    case value(Double)
    /// Goes from the end nearer to compact to the other.
    case range(Double, Double)

    var bounds: Bounds {
        switch self {
        case .value(let value): Bounds(value, value)
        case .range(let first, let second): Bounds(first, second)
        }
    }
}
