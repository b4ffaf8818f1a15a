// Where the bar goes when it is let go between two states: to the nearest one, by moving the content by as much as the
// bar misses. AirBar looks at the bar alone; a projected snap first asks where the bar would come to rest ("Designing
// Fluid Interfaces", WWDC 2018) and then goes to the state nearest to that.

extension BarSession {
    /// Sends the bar to a state; `velocity` is that of the content's y at release, in points per second, and positive
    /// when the bar gets smaller.
    mutating func snap(velocity: Double, _ turn: inout Turn) {
        let level: BarLevel?
        switch options.snap {
        case .none: level = nil
        case .nearest: level = nearest(to: state.offset, among: BarLevel.allCases)
        case .projected(let rate):
            level = nearest(to: state.offset + turn.rules.project(velocity, rate), among: reachableLevels)
        }
        guard let level else { return turn.fire(.ignored) }
        let resting = configuration.offset(of: level)
        let distance = resting - state.offset
        guard distance != 0 else { return turn.fire(.alreadyAtRest) }

        let y = geometry.contentOffset.y
        var targetY = y + distance
        if options.resistance != nil, state.offset < state.leastOffset {
            // The bar gave way to a part of the pull, but the content has to give back all of it.
            targetY = geometry.atRest(y) + (resting - state.leastOffset)
        }
        if options.clampTargets {
            targetY = geometry.atRest(targetY)
            guard targetY != y else { return turn.fire(.alreadyAtRest) }
        }
        moveContent(
            to: Point(computedX: geometry.contentOffset.x, y: targetY),
            animated: true,
            spring: spring(velocity: velocity, from: y, to: targetY, turn.rules),
            &turn
        )
        turn.fire(.snapped)
    }

    /// The nearest state; on a tie the smaller one, as AirBar lists them.
    private func nearest(to offset: Double, among levels: [BarLevel]) -> BarLevel? {
        levels.min { abs(configuration.offset(of: $0) - offset) < abs(configuration.offset(of: $1) - offset) }
    }

    /// The states a projected snap may choose: expanded only while the bar may be it, or the content would be thrown
    /// further than the bar can follow; with `snapSequential` none that lies behind another one.
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

    /// A flick may bounce, a plain release must not: the springs of WWDC 2018.
    private func spring(velocity: Double, from y: Double, to targetY: Double, _ rules: BarRules) -> SnapSpring? {
        guard case .projected = options.snap else { return nil }
        let relative = rules.relativeVelocity(velocity, y, targetY)
        return velocity == 0
            ? SnapSpring(dampingRatio: 1, response: 0.4, relativeVelocity: 0)
            : SnapSpring(dampingRatio: 0.8, response: 0.3, relativeVelocity: relative)
    }
}
