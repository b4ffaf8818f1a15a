/// What differs from AirBar; nothing, unless asked for.
package struct BarOptions: Sendable, Equatable {
    /// Where the bar goes when a pan ends between states.
    package var snap: Snap
    /// Whether a projected snap goes no further than the next state.
    package var snapSequential: Bool
    /// Whether a cancelled or failed pan snaps like one that ended; AirBar leaves the bar between states.
    package var snapOnCancel: Bool
    /// Whether a snap keeps its content within the scrollable range; AirBar may leave it over-scrolled.
    package var clampTargets: Bool
    /// How the bar gives way to a pull beyond its limit; nil cuts the pull off.
    package var resistance: Resistance?
    package var fixes: Fixes

    package init(
        snap: Snap = .nearest,
        snapSequential: Bool = false,
        snapOnCancel: Bool = false,
        clampTargets: Bool = false,
        resistance: Resistance? = nil,
        fixes: Fixes = []
    ) {
        self.snap = snap
        self.snapSequential = snapSequential
        self.snapOnCancel = snapOnCancel
        self.clampTargets = clampTargets
        self.resistance = resistance
        self.fixes = fixes
    }

    /// AirBar to the letter.
    package static let airBar = BarOptions()

    /// How the state to go to is chosen.
    package enum Snap: Sendable, Equatable {
        /// The one nearest to the bar; the velocity does not count.
        case nearest
        /// The one nearest to where the bar would come to rest, given its velocity.
        case projected(DecelerationRate)
        case none
    }

    /// Repairs of AirBar's flaws, each by itself.
    package struct Fixes: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The offset at the attachment counts as observed: the first move of a drag is not lost.
        package static let primeOnAttach = Fixes(rawValue: 1 << 0)
        /// Both over-scroll stages compare offsets at rest: a bounce never moves the bar.
        package static let overscroll = Fixes(rawValue: 1 << 1)
        /// Collapsing withdraws the permission to expand.
        package static let clearExpandedOnCollapse = Fixes(rawValue: 1 << 2)
        /// Growing content near the top does not open the bar.
        package static let contentSizeRatchet = Fixes(rawValue: 1 << 3)
        /// The host's own bottom inset is kept under the bar's fill.
        package static let baseInset = Fixes(rawValue: 1 << 4)
    }
}

/// The factor by which a scrolling velocity falls every millisecond (`UIScrollView.DecelerationRate`).
package struct DecelerationRate: Sendable, Equatable {
    package let value: Double

    /// A rate above 0 and below 1.
    package init(_ value: Double) throws(BarLayoutError) {
        guard value > 0, value < 1 else { throw .outOfRange("decelerationRate") }
        self.value = value
    }

    private init(known value: Double) {
        self.value = value
    }

    /// UIKit's `.normal`.
    package static let normal = DecelerationRate(known: 0.998)
    /// UIKit's `.fast`.
    package static let fast = DecelerationRate(known: 0.99)
}

/// UIKit's rubber band: a pull of x points beyond a limit moves by d·(1 − 1/(x·c/d + 1)), never quite d.
package struct Resistance: Sendable, Equatable {
    /// d, in points: what the band approaches.
    package let dimension: Double
    /// c: the slope at the limit; UIKit's is 0.55.
    package let constant: Double

    /// A dimension above 0, and a constant above 0 and at most 1.
    package init(dimension: Double, constant: Double = 0.55) throws(BarLayoutError) {
        guard dimension > 0, dimension <= Coordinate.limit else { throw .outOfRange("dimension") }
        guard constant > 0, constant <= 1 else { throw .outOfRange("constant") }
        self.dimension = dimension
        self.constant = constant
    }

    /// How far the bar gives way to a pull of `pull` points, 0 or more.
    func give(to pull: Double) -> Double {
        dimension * (1 - 1 / (pull * constant / dimension + 1))
    }
}
