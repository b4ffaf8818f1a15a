// AirBar's controller as a value: an event goes in, and commands come out. `snapshot` holds everything that a session
// remembers between two events, including the two values that AirBar keeps in captured variables of its observers. A
// session restored without them would ignore the first event.

import Motion

/// A bar, the scroll view to which it is attached, and the values that it has observed.
public struct BarSession: Sendable, Equatable {
    /// The reporter of the moves that the session commands.
    public let feedback: Feedback
    /// The differences to AirBar.
    public let options: BarOptions
    /// The numbers that follow the bar; no rule reads them.
    public var tracks: Tracks
    /// The values that events change.
    public internal(set) var snapshot: Snapshot

    /// A session in the state of a snapshot.
    public init(
        restoring snapshot: Snapshot,
        feedback: Feedback = .applied,
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks()
    ) {
        self.snapshot = snapshot
        self.feedback = feedback
        self.options = options
        self.tracks = tracks
    }

    /// Attaches a view to a new bar at its normal height; returns the session and the outcome of the attachment.
    public static func attached(
        to scrollable: Scrollable,
        configuration: BarConfiguration,
        feedback: Feedback = .applied,
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks(),
        rules: BarRules = .fluid,
        explaining: Bool = false
    ) -> (session: BarSession, outcome: BarOutcome) {
        let offset = -configuration.normalStateHeight
        let state = BarState(offset: offset, isExpandedStateAvailable: false, configuration: configuration)
        let snapshot = Snapshot(state: state, scrollable: scrollable)
        var session = BarSession(restoring: snapshot, feedback: feedback, options: options, tracks: tracks)
        var outcome = BarOutcome()
        if explaining { outcome.beginExplanation() }
        session.attach(scrollable, &outcome)
        return (session, consume outcome)
    }

    /// Replaces the state by that of a snapshot of the same bar.
    public mutating func restore(_ snapshot: Snapshot) {
        self.snapshot = snapshot
    }

    /// Applies an event; returns its outcome, with an explanation if `explaining`.
    ///
    /// - Throws: `scrollableMismatch`, without a change, if the event is about another view than the attached one.
    public mutating func apply(
        _ event: BarEvent,
        rules: BarRules = .fluid,
        explaining: Bool = false
    ) throws(BarLayoutError) -> BarOutcome {
        if let id = event.scrollableID, !id.hasBytes(of: scrollableID) {
            throw .scrollableMismatch(attached: scrollableID, given: id)
        }
        var outcome = BarOutcome()
        if explaining { outcome.beginExplanation() }
        perform(event, rules, &outcome)
        // `consume`: without it, the compiler copies the outcome.
        return consume outcome
    }

    /// Performs the action of an event, and adds its effects to `outcome`.
    private mutating func perform(_ event: BarEvent, _ rules: BarRules, _ outcome: inout BarOutcome) {
        let before = state
        switch event.action {
        case .contentOffset(let offset): contentOffsetChanged(to: offset, source: event.source, &outcome)
        case .contentSize(let size): contentSizeChanged(to: size, &outcome)
        case .frame(let frame): frameChanged(to: frame)
        case .contentInset(let inset): contentInsetChanged(to: inset)
        case .panGesture(let state, let velocity): panGestureChanged(to: state, velocity: velocity, rules, &outcome)
        case .expand(let on): expand(on, &outcome)
        case .set(let scrollable): attach(scrollable, &outcome)
        case .preconfigure(let scrollable): preconfigure(scrollable, &outcome)
        }
        outcome.crossings = Crossing.between(before, and: state)
    }

    /// The values that a session remembers from one event to the next.
    public struct Snapshot: Sendable, Equatable {
        /// The state of the bar.
        public internal(set) var state: BarState
        /// The attached view.
        public internal(set) var scrollable: Scrollable
        /// The last offset observed since the attachment, less the part within the tolerance; nil before the first one.
        public internal(set) var previousContentOffset: Point?
        /// The last size observed since the attachment; nil before the first one.
        public internal(set) var previousContentSize: Size?
        /// The client's own bottom inset, in points; 0 without the `baseInset` repair.
        public internal(set) var baseInsetBottom: Double

        package init(
            state: BarState,
            scrollable: Scrollable,
            previousContentOffset: Point? = nil,
            previousContentSize: Size? = nil,
            baseInsetBottom: Double = 0
        ) {
            self.state = state
            self.scrollable = scrollable
            self.previousContentOffset = previousContentOffset
            self.previousContentSize = previousContentSize
            self.baseInsetBottom = baseInsetBottom
        }

        /// The snapshot as a creation accepts it: sums beyond ±`Coordinate.computedLimit` become the limit.
        package var limited: Snapshot {
            var copy = self
            func limit(_ value: inout Double) { value = Coordinate.nearest(value, limit: Coordinate.computedLimit) }
            func limit(_ point: inout Point) {
                limit(&point.x)
                limit(&point.y)
            }
            limit(&copy.state.offset)
            limit(&copy.scrollable.geometry.contentOffset)
            limit(&copy.scrollable.geometry.contentInset.top)
            limit(&copy.scrollable.geometry.contentInset.bottom)
            if var offset = previousContentOffset {
                limit(&offset)
                copy.previousContentOffset = offset
            }
            limit(&copy.baseInsetBottom)
            return copy
        }
    }
}

extension BarSession {
    /// The state of the bar.
    public internal(set) var state: BarState {
        get { snapshot.state }
        set { snapshot.state = newValue }
    }

    /// The attached view.
    public var scrollable: Scrollable { snapshot.scrollable }

    /// The `id` of the attached view.
    package var scrollableID: String { snapshot.scrollable.id }

    /// The insets of the attached view's content.
    package var contentInset: EdgeInsets { snapshot.scrollable.geometry.contentInset }

    /// The top inset of the scroll indicators, in points: that of a normal bar, even while the bar is expanded.
    public var scrollIndicatorInsetTop: Double { configuration.normalStateHeight }

    /// The heights of the bar.
    public var configuration: BarConfiguration { snapshot.state.configuration }

    var geometry: ScrollGeometry {
        get { snapshot.scrollable.geometry }
        set { snapshot.scrollable.geometry = newValue }
    }
}

/// The functions that a session gets from its caller, so that the session itself remains a value.
public struct BarRules: Sendable {
    /// Returns the distance, in points, that a velocity in points per second covers until it stops at a deceleration rate.
    public let project: @Sendable (_ velocity: Double, _ rate: DecelerationRate) -> Double
    /// Returns a velocity, in points per second, as a fraction of the distance to the target per second.
    public let relativeVelocity: @Sendable (_ velocity: Double, _ current: Double, _ target: Double) -> Double

    /// Rules with these functions.
    public init(
        project: @escaping @Sendable (_ velocity: Double, _ rate: DecelerationRate) -> Double,
        relativeVelocity: @escaping @Sendable (_ velocity: Double, _ current: Double, _ target: Double) -> Double
    ) {
        self.project = project
        self.relativeVelocity = relativeVelocity
    }

    /// Projection and relative velocity by the formulas of "Designing Fluid Interfaces" (WWDC 2018), as the service has them.
    public static let fluid = BarRules(
        project: { velocity, rate in
            // Both types accept the same rates, so the second value is not used.
            let deceleration = (try? Deceleration(rate: rate.value)) ?? .normal
            return deceleration.wwdcDistance(velocity: velocity)
        },
        relativeVelocity: { RelativeVelocity.of(velocity: $0, from: $1, to: $2) }
    )
}

// The effects of the content's moves and of its size on the bar.
extension BarSession {
    /// Handles a reported offset.
    ///
    /// With `applied` feedback the samples of the bar's own animation are ignored: the command was observed already, and the
    /// samples would undo the snap.
    mutating func contentOffsetChanged(to offset: Point, source: BarEvent.Source, _ outcome: inout BarOutcome) {
        if source == .animation, feedback == .applied { return outcome.explain(.ownAnimation) }
        geometry.contentOffset = offset
        outcome.explain(observe(offset, isOwn: source == .animation, &outcome))
    }

    /// Observes an offset: an equal one has no effect, the first one is remembered, any other moves the bar.
    ///
    /// `isOwn` is true for a move of the bar's own animation, which has no tolerance.
    mutating func observe(_ offset: Point, isOwn: Bool = false, _ outcome: inout BarOutcome) -> Explanation.Rule {
        let offset = isOwn ? offset : Point(computedX: offset.x, y: followed(offset.y))
        guard let previous = snapshot.previousContentOffset else {
            snapshot.previousContentOffset = offset
            return .primed
        }
        guard previous != offset else { return .duplicate }
        reduce(from: previous, to: offset, &outcome)
        snapshot.previousContentOffset = offset
        return .reduced
    }

    /// Returns the y that the bar follows for an offset of the content.
    ///
    /// While the content moves down, the bar is up to the tolerance behind it, and follows exactly while it moves up. A move
    /// up that only makes up for that, or one down that only makes room for it, has no effect. So no further value is kept.
    /// Above the start of the content there is no tolerance, or a stretch would remain after a bounce.
    func followed(_ y: Double) -> Double {
        guard let previous = snapshot.previousContentOffset else { return y }
        return max(y - options.tolerance.points, min(y, max(previous.y, geometry.startY)))
    }

    /// Handles a reported size; the first one after an attachment has an effect even if the size did not change.
    mutating func contentSizeChanged(to size: Size, _ outcome: inout BarOutcome) {
        geometry.contentSize = size
        guard snapshot.previousContentSize != size else { return outcome.explain(.duplicate) }
        snapshot.previousContentSize = size
        preconfigureAttached(afterSizeChange: true, &outcome)
        outcome.explain(.preconfigured)
    }

    /// Moves the bar by a move of the content, which the stages correct.
    private mutating func reduce(from previous: Point, to offset: Point, _ outcome: inout BarOutcome) {
        releaseStretch()
        let before = state
        var deltaY = offset.y - previous.y
        outcome.explanation?.reductions.append(.init(previousY: previous.y, y: offset.y, deltaY: deltaY))
        var leastOffset = before.leastOffset
        // Only the edge of the content, below the client's own inset, opens the bar: without a jump, after a fling, too.
        if options.reopen == .top { leastOffset = max(leastOffset, min(before.offset, offset.y + clientInsetTop)) }
        for stage in trimsOverscroll ? DeltaYTransformer.overscrollRepaired : DeltaYTransformer.airBar {
            deltaY = stage.transform(deltaY, from: previous.y, to: offset.y, geometry, before, leastOffset: leastOffset)
            outcome.explanation?.addStage(name: stage.rawValue, deltaY: deltaY)
        }
        state.offset += deltaY
        if let resistance = options.resistance, state.offset <= state.leastOffset {
            state.offset -= resistance.stretch(by: max(0, geometry.startY - offset.y))
            outcome.explanation?.addStage(name: "resistance", deltaY: state.offset - before.offset)
        }
    }

    /// Whether the stages compare offsets at rest, as they do with a resistance, which reads the over-scroll itself.
    var trimsOverscroll: Bool { options.resistance != nil || options.fixes.contains(.overscroll) }

    /// Ends a pull when a larger top inset moves the start of the content up, from `start`.
    ///
    /// The bar has not followed the pull, and the next offset is compared with the new start. So the last offset becomes the
    /// one at which the bar rests, or the part between the two starts would be lost to the bar.
    mutating func settle(at start: Double) {
        guard trimsOverscroll, geometry.startY < start, let y = snapshot.previousContentOffset?.y, y < start else {
            return
        }
        releaseStretch()
        snapshot.previousContentOffset?.y = start
    }

    /// Removes the stretch of a bar with a resistance, which is added again after a move, so it cannot accumulate.
    mutating func releaseStretch() {
        if options.resistance != nil { state.offset = max(state.offset, state.leastOffset) }
    }
}
