// What the pan gesture decides, and the request to open or close the bar.

extension BarSession {
    /// So near to the top, in points, a pan may open the bar.
    private static let topTolerance = 5.0

    mutating func panGestureChanged(
        to gesture: BarEvent.PanGestureState,
        velocity: Point?,
        _ turn: inout Turn
    ) {
        switch gesture {
        case .began: panBegan(&turn)
        case .changed: panChanged(&turn)
        case .ended: snap(velocity: velocity?.y ?? 0, &turn)
        case .cancelled, .failed:
            if options.snapOnCancel { snap(velocity: velocity?.y ?? 0, &turn) } else { turn.fire(.ignored) }
        case .possible: turn.fire(.ignored)
        }
    }

    /// A pan that begins at the top may open the bar; one that begins above it keeps the permission it finds.
    private mutating func panBegan(_ turn: inout Turn) {
        let (y, top) = (geometry.contentOffset.y, -configuration.normalStateHeight)
        let isAtTop = y >= top - BarSession.topTolerance && y <= top + BarSession.topTolerance
        let staysAvailable = y < top && state.isExpandedStateAvailable
        state.isExpandedStateAvailable = isAtTop || staysAvailable
        geometry.contentInset.top = -state.leastOffset
        turn.fire(.panBegan)
    }

    /// Content that has left the top takes the permission with it: the content's offset decides, not the bar's.
    private mutating func panChanged(_ turn: inout Turn) {
        let hasLeftTop = geometry.contentOffset.y > -configuration.normalStateHeight
        guard state.isExpandedStateAvailable, hasLeftTop else { return turn.fire(.ignored) }
        state.isExpandedStateAvailable = false
        geometry.contentInset.top = configuration.normalStateHeight
        turn.fire(.expansionWithdrawn)
    }

    /// Opens the bar, or closes it to normal, by scrolling to the top from wherever the content is.
    ///
    /// The offset goes first and the inset second. With `echoed` feedback that order shows: see `Feedback`. Stages that
    /// trim over-scroll on the way in would trim all of the opening, so for them the room comes first.
    mutating func expand(_ on: Bool, _ turn: inout Turn) {
        if on { state.isExpandedStateAvailable = true }
        let height = on ? configuration.expandedStateHeight : configuration.normalStateHeight
        if on, trimsOverscroll { geometry.contentInset.top = height }
        moveContent(to: Point(computedX: geometry.contentOffset.x, y: -height), animated: true, &turn)
        geometry.contentInset.top = height
        if !on, options.fixes.contains(.clearExpandedOnCollapse) { state.isExpandedStateAvailable = false }
        turn.fire(on ? .expanded : .collapsed)
    }
}
