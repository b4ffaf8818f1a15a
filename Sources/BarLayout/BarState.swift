/// The position of the bar, and whether it may expand (AirBar: `State`).
///
/// Offsets are negative heights: a greater offset is a smaller bar. A bar that moves with the content therefore moves by
/// the same difference as the content.
public struct BarState: Sendable, Equatable {
    /// The negative height of the bar, in points.
    public internal(set) var offset: Double
    /// Whether the bar may grow from normal to expanded.
    ///
    /// AirBar's equality ignores it. Here it counts, or observers would miss changes.
    public internal(set) var isExpandedStateAvailable: Bool
    /// The heights of the bar.
    public let configuration: BarConfiguration

    /// A state with the given values, such as one to try a stage on.
    public init(offset: Double, isExpandedStateAvailable: Bool, configuration: BarConfiguration) {
        self.offset = offset
        self.isExpandedStateAvailable = isExpandedStateAvailable
        self.configuration = configuration
    }

    /// The bar's height, in points.
    public var height: Double { -offset }

    /// The range that the bar is in; normal itself belongs to `normalExpanded`.
    public var stateRange: StateRange {
        offset > -configuration.normalStateHeight ? .compactNormal : .normalExpanded
    }

    /// The progress of the transition: 0 is compact, 1 normal, 2 expanded.
    public var transitionProgress: Double {
        let normal = -configuration.normalStateHeight
        return switch stateRange {
        case .compactNormal: offset.mapped(from: (normal, -configuration.compactStateHeight), to: (1, 0))
        case .normalExpanded: offset.mapped(from: (-configuration.expandedStateHeight, normal), to: (2, 1))
        }
    }

    /// Returns a number that follows the bar, such as an alpha or a position.
    ///
    /// The ranges may be reversed or negative, and may differ at normal.
    public func value(compactNormalRange: ValueRange, normalExpandedRange: ValueRange) -> Double {
        switch stateRange {
        case .compactNormal: transitionProgress.mapped(from: (0, 1), to: compactNormalRange.bounds)
        case .normalExpanded: transitionProgress.mapped(from: (1, 2), to: normalExpandedRange.bounds)
        }
    }

    /// The offset of the tallest bar that is allowed in this state.
    var leastOffset: Double {
        -(isExpandedStateAvailable ? configuration.expandedStateHeight : configuration.normalStateHeight)
    }
}

/// One of the two ranges between neighbouring states.
public enum StateRange: String, Sendable {
    case compactNormal, normalExpanded
}

/// The values of a number over one range (AirBar: `State.ValueRangeType`).
public enum ValueRange: Sendable, Equatable {
    /// A constant.
    case value(Double)
    /// Linear from the first value, at the end nearer to compact, to the second.
    case range(Double, Double)

    var bounds: Bounds {
        switch self {
        case .value(let value): (value, value)
        case .range(let first, let second): (first, second)
        }
    }
}

/// The two ends of an interval, in order; the second may be the lesser.
typealias Bounds = (first: Double, second: Double)

extension Double {
    /// Maps the number from one interval to another, clamped at both ends (AirBar: `map(from:to:)`).
    ///
    /// If both ends of `source` are equal, the guards return an end before the division.
    func mapped(from source: Bounds, to target: Bounds) -> Double {
        guard self > source.first else { return target.first }
        guard self < source.second else { return target.second }
        let ratio = (self - source.first) / (source.second - source.first)
        return target.first + ratio * (target.second - target.first)
    }
}
