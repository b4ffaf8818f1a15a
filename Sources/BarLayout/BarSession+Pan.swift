// The effects of the pan gesture and of `expand`: whether the bar may expand, and the state to which it snaps.
//
// AirBar snaps to the state nearest to the bar. A projected snap first computes the offset at which the bar would stop
// ("Designing Fluid Interfaces", WWDC 2018), and moves to the state nearest to that offset.

extension BarSession {
    /// The greatest distance to the top, in points, from which a pan may open the bar.
    private static let topTolerance = 5.0

    /// Handles a new state of the pan gesture.
    mutating func panGestureChanged(
        to gesture: BarEvent.PanGestureState,
        velocity: Point?,
        _ rules: BarRules,
        _ outcome: inout BarOutcome
    ) {
        switch gesture {
        case .began: panBegan(&outcome)
        case .changed: panChanged(&outcome)
        case .ended: snap(velocity: velocity?.y ?? 0, rules, &outcome)
        case .cancelled, .failed, .possible:
            guard gesture != .possible, options.snapOnCancel else { return outcome.explain(.ignored) }
            snap(velocity: velocity?.y ?? 0, rules, &outcome)
        }
    }

    /// Allows the bar to expand if the pan begins at the top; above the top the permission stays as it is.
    private mutating func panBegan(_ outcome: inout BarOutcome) {
        let (y, added) = (geometry.contentOffset.y, clientInsetTop)
        let top = -configuration.normalStateHeight - added
        let isAtTop = y >= top - BarSession.topTolerance && y <= top + BarSession.topTolerance
        let staysAvailable = y < top && state.isExpandedStateAvailable
        let (start, mayExpand) = (geometry.startY, isAtTop || staysAvailable)
        geometry.contentInset.top = -configuration.offset(of: mayExpand ? .expanded : .normal) + added
        settle(at: start)
        state.isExpandedStateAvailable = mayExpand
        outcome.explain(.panBegan)
    }

    /// Forbids the bar to expand once the content has left the top; the offset of the content decides, not the bar's.
    private mutating func panChanged(_ outcome: inout BarOutcome) {
        let top = -configuration.normalStateHeight - clientInsetTop
        let hasLeftTop = followed(geometry.contentOffset.y) > top
        guard state.isExpandedStateAvailable, hasLeftTop else { return outcome.explain(.ignored) }
        state.isExpandedStateAvailable = false
        geometry.contentInset.top = -top
        outcome.explain(.expansionWithdrawn)
    }

    /// Expands the bar, or returns it to normal, by scrolling the content to the top.
    ///
    /// The offset is set before the inset, which is visible with `echoed` feedback: see `Feedback`. Stages that trim
    /// over-scroll would trim the whole move, so for them the inset is set first. With the `clearExpandedOnCollapse` repair,
    /// a bar that closes deep in the content stays closed, although it still may expand on its way to the top.
    mutating func expand(_ on: Bool, _ outcome: inout BarOutcome) {
        let top = (on ? configuration.expandedStateHeight : configuration.normalStateHeight) + clientInsetTop
        if on, trimsOverscroll {
            let start = geometry.startY
            geometry.contentInset.top = top
            settle(at: start)
        }
        if on { state.isExpandedStateAvailable = true }
        moveContent(to: Point(computedX: geometry.contentOffset.x, y: -top), animated: true, &outcome)
        geometry.contentInset.top = top
        if !on, options.fixes.contains(.clearExpandedOnCollapse) {
            state.isExpandedStateAvailable = false
            if feedback == .applied { state.offset = max(state.offset, state.leastOffset) }
        }
        outcome.explain(on ? .expanded : .collapsed)
    }

    /// Moves the bar to a state.
    ///
    /// `velocity` is that of the content's y at release, in points per second; it is positive if the bar shrinks.
    private mutating func snap(velocity: Double, _ rules: BarRules, _ outcome: inout BarOutcome) {
        let y = geometry.contentOffset.y
        var (resting, targetY): (Double, Double)
        switch options.snap {
        case .none: return outcome.explain(.ignored)
        case .nearest: (resting, targetY) = (nearest(to: state.offset, among: BarLevel.allCases), followed(y))
        case .projected(let rate):
            resting = nearest(to: state.offset + rules.project(velocity, rate), among: reachableLevels)
            // Of a move from beyond an end, the bar follows only the part within the content.
            targetY = geometry.atRest(followed(y))
        }
        guard resting != state.offset else { return outcome.explain(.alreadyAtRest) }
        targetY += resting - state.offset
        if options.resistance != nil, state.offset < state.leastOffset {
            // The bar stretched by a part of the pull; the content has to move back by all of it.
            targetY = geometry.atRest(y) + (resting - state.leastOffset)
        }
        if options.clampTargets {
            targetY = geometry.atRest(targetY)
            guard targetY != y else { return outcome.explain(.alreadyAtRest) }
        }
        moveContent(
            to: Point(computedX: geometry.contentOffset.x, y: targetY),
            animated: true,
            spring: spring(velocity: velocity, from: y, to: targetY, rules),
            &outcome
        )
        outcome.explain(.snapped)
    }

    /// Returns the offset of the nearest state; of two equally near ones that of the smaller, as in AirBar.
    ///
    /// Away from the top, a bar that reopens there cannot grow.
    private func nearest(to offset: Double, among levels: [BarLevel]) -> Double {
        var offsets = levels.map(configuration.offset(of:))
        let edge = followed(geometry.contentOffset.y) + clientInsetTop
        if options.reopen == .top, edge > state.offset + Crossing.tolerance {
            let limit = min(state.offset, -configuration.compactStateHeight) - Crossing.tolerance
            offsets.removeAll { $0 <= limit }
        }
        return offsets.min { abs($0 - offset) < abs($1 - offset) } ?? state.offset
    }

    /// The states that a projected snap may choose.
    ///
    /// Expanded is one only while the bar may expand, because the bar could not follow the content there. With
    /// `snapSequential` no state lies between the bar and a reachable one.
    private var reachableLevels: [BarLevel] {
        let mayExpand = state.isExpandedStateAvailable || state.offset < -configuration.normalStateHeight
        let levels: [BarLevel] = mayExpand ? BarLevel.allCases : [.compact, .normal]
        guard options.snapSequential else { return levels }
        return levels.filter { level in
            let end = configuration.offset(of: level)
            return !levels.contains { other in
                let between = configuration.offset(of: other)
                return min(end, state.offset) < between && between < max(end, state.offset)
            }
        }
    }

    /// Returns the spring of WWDC 2018 for a projected snap, which bounces only after a flick; nil for another snap.
    private func spring(velocity: Double, from y: Double, to targetY: Double, _ rules: BarRules) -> SnapSpring? {
        guard case .projected = options.snap else { return nil }
        let relative = rules.relativeVelocity(velocity, y, targetY)
        return velocity == 0
            ? SnapSpring(dampingRatio: 1, response: 0.4, relativeVelocity: 0)
            : SnapSpring(dampingRatio: 0.8, response: 0.3, relativeVelocity: relative)
    }
}
