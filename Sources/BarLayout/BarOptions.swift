/// Differences to AirBar; by default there are none.
public struct BarOptions: Sendable, Equatable {
    /// The choice of the state to which the bar moves when a pan ends.
    public var snap: Snap
    /// Whether a projected snap moves to a neighbouring state only.
    public var snapSequential: Bool
    /// Whether a cancelled or failed pan snaps, too; AirBar leaves the bar between states.
    public var snapOnCancel: Bool
    /// Whether a snap keeps the content within its scrollable range; AirBar may leave it over-scrolled.
    public var clampTargets: Bool
    /// Where the content may open the bar again after the bar has become smaller.
    public var reopen: Reopening
    /// The distance that content moves after a change of direction before the bar follows.
    public var tolerance: Tolerance
    /// The stretch of the bar by a pull beyond its limit; nil for no stretch.
    public var resistance: Resistance?
    /// The repairs of AirBar's flaws that are on.
    public var fixes: Fixes

    /// Options that differ from AirBar only where an argument is given.
    public init(
        snap: Snap = .nearest,
        snapSequential: Bool = false,
        snapOnCancel: Bool = false,
        clampTargets: Bool = false,
        reopen: Reopening = .anywhere,
        tolerance: Tolerance = .none,
        resistance: Resistance? = nil,
        fixes: Fixes = []
    ) {
        self.snap = snap
        self.snapSequential = snapSequential
        self.snapOnCancel = snapOnCancel
        self.clampTargets = clampTargets
        self.reopen = reopen
        self.tolerance = tolerance
        self.resistance = resistance
        self.fixes = fixes
    }

    /// The exact behaviour of AirBar.
    public static let airBar = BarOptions()

    /// The rule by which the bar chooses a state.
    public enum Snap: Sendable, Equatable {
        /// The state nearest to the bar; the velocity has no effect.
        case nearest
        /// The state nearest to the point at which the bar would stop, given its velocity.
        case projected(DecelerationRate)
        /// The bar stays where it is.
        case none
    }

    /// The places at which the content may open the bar again.
    public enum Reopening: String, Sendable {
        /// Any upward move opens the bar.
        case anywhere
        /// Only the edge of the content opens the bar, when it reaches the bar's edge at the top.
        case top
    }

    /// Repairs of AirBar's flaws.
    public struct Fixes: OptionSet, Sendable {
        /// One bit for each repair.
        public let rawValue: UInt8

        /// Repairs from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The offset at the attachment counts as observed, so the first move of a drag has an effect.
        public static let primeOnAttach = Fixes(rawValue: 1 << 0)
        /// Both over-scroll stages compare offsets at rest, so a bounce never moves the bar.
        public static let overscroll = Fixes(rawValue: 1 << 1)
        /// After a collapse the bar may no longer expand.
        public static let clearExpandedOnCollapse = Fixes(rawValue: 1 << 2)
        /// Content that grows near the top does not open the bar.
        public static let contentSizeRatchet = Fixes(rawValue: 1 << 3)
        /// The client's own insets are kept: a refresh control's at the top, and a tab bar's or a keyboard's at the bottom.
        public static let baseInset = Fixes(rawValue: 1 << 4)

        /// All repairs.
        public static let all: Fixes = [
            .primeOnAttach, .overscroll, .clearExpandedOnCollapse, .contentSizeRatchet, .baseInset,
        ]

        /// The names of the repairs in JSON.
        package static let names: KeyValuePairs<String, Fixes> = [
            "primeOnAttach": .primeOnAttach, "overscroll": .overscroll,
            "clearExpandedOnCollapse": .clearExpandedOnCollapse, "contentSizeRatchet": .contentSizeRatchet,
            "baseInset": .baseInset,
        ]
    }
}

/// The factor by which the velocity of a scroll view falls each millisecond (`UIScrollView.DecelerationRate`).
public struct DecelerationRate: Sendable, Equatable {
    /// The factor.
    public let value: Double

    /// A rate above 0 and below 1; throws `outOfRange` for any other.
    public init(_ value: Double) throws(BarLayoutError) {
        guard value > 0, value < 1 else { throw .outOfRange("decelerationRate") }
        self.value = value
    }

    private init(known value: Double) {
        self.value = value
    }

    /// UIKit's `.normal`.
    public static let normal = DecelerationRate(known: 0.998)
    /// UIKit's `.fast`.
    public static let fast = DecelerationRate(known: 0.99)
}

/// A distance in points that content may move against its direction without an effect, such as the jitter of a finger.
public struct Tolerance: Sendable, Equatable {
    /// The distance.
    public let points: Double

    /// A distance from 0 to `Coordinate.limit`; throws `outOfRange` for any other.
    public init(points: Double) throws(BarLayoutError) {
        guard points >= 0, points <= Coordinate.limit else { throw .outOfRange("tolerance") }
        self.points = points
    }

    private init(known points: Double) {
        self.points = points
    }

    /// The bar follows every move.
    public static let none = Tolerance(known: 0)
}

/// UIKit's rubber band: a pull of x points beyond the limit moves the bar by d·(1 − 1/(x·c/d + 1)), which is below d.
public struct Resistance: Sendable, Equatable {
    /// d, in points: the limit of the movement.
    public let dimension: Double
    /// c: the slope at the start of the pull; UIKit's is 0.55.
    public let constant: Double

    /// A dimension above 0 and at most `Coordinate.limit`, and a constant above 0 and at most 1.
    ///
    /// - Throws: `outOfRange` with the name of the member.
    public init(dimension: Double, constant: Double = 0.55) throws(BarLayoutError) {
        guard dimension > 0, dimension <= Coordinate.limit else { throw .outOfRange("dimension") }
        guard constant > 0, constant <= 1 else { throw .outOfRange("constant") }
        self.dimension = dimension
        self.constant = constant
    }

    /// Returns the stretch, in points, by a pull of `pull` points, at least 0.
    func stretch(by pull: Double) -> Double {
        dimension * (1 - 1 / (pull * constant / dimension + 1))
    }
}

/// The reporter of the moves that the commands of the bar cause.
public enum Feedback: String, Sendable {
    /// The session observes its own command at once, as the scroll view in AirBar does; the result is the settled state.
    case applied
    /// The client reports the move like any other.
    ///
    /// After `expand(false)` the inset is then set before the report, which counts as a bounce, and the bar stays open.
    case echoed
}
