// Attaching a view, getting one ready, and the two things that both do: writing insets and moving the content.

extension BarSession {
    /// Attaches a view in place of the one before, whose insets stay as they are.
    ///
    /// The bar itself does not change, but for the stretch that a pull on the old view gave a resisting one.
    /// AirBar observes only after it got the view ready, so what that does to the content is not seen, and the first
    /// offset reported is only remembered.
    mutating func attach(_ scrollable: Scrollable, _ turn: inout Turn) {
        releaseStretch()
        snapshot.scrollable = scrollable
        snapshot.baseInsetBottom = baseInsetBottom(of: scrollable.geometry)
        let target = prepare(&geometry, base: snapshot.baseInsetBottom)
        if let target {
            turn.outcome.commands.append(
                BarCommand(scrollableID: scrollable.id, target: target, animated: false)
            )
            if feedback == .applied { geometry.contentOffset = target }
        }
        let primed = options.fixes.contains(.primeOnAttach)
        snapshot.previousContentOffset = primed ? target ?? geometry.contentOffset : nil
        snapshot.previousContentSize = nil
        turn.fire(.attached)
    }

    /// Gets a view ready: the attached one as it is known here, or another one as the event describes it.
    mutating func preconfigure(_ scrollable: Scrollable, _ turn: inout Turn) {
        var prepared = scrollable.geometry
        if scrollable.id == self.scrollable.id {
            preconfigureAttached(&turn)
            prepared = geometry
        } else if let target = prepare(&prepared, base: baseInsetBottom(of: prepared)) {
            turn.outcome.commands.append(
                BarCommand(scrollableID: scrollable.id, target: target, animated: false)
            )
        }
        turn.outcome.preconfigured = Preconfigured(
            scrollableID: scrollable.id,
            contentInset: prepared.contentInset,
            scrollIndicatorInsetTop: scrollIndicatorInsetTop
        )
        turn.fire(.preconfigured)
    }

    /// Gets the attached view ready while it is observed.
    mutating func preconfigureAttached(afterSizeChange: Bool = false, _ turn: inout Turn) {
        let target = prepare(&geometry, base: snapshot.baseInsetBottom, afterSizeChange: afterSizeChange)
        if let target { moveContent(to: target, animated: false, &turn) }
    }

    /// Writes the insets a view needs under the bar as it is, and says where its content has to go; nil to stay.
    ///
    /// The bottom is filled up so that short content can still push the bar to compact. A view at its top, or under a
    /// bar that is more than normally open, has to continue below the bar's edge.
    private func prepare(_ geometry: inout ScrollGeometry, base: Double, afterSizeChange: Bool = false) -> Point? {
        let (normal, expanded) = (configuration.normalStateHeight, configuration.expandedStateHeight)
        let fill = geometry.frame.height - configuration.compactStateHeight - geometry.contentSize.height
        geometry.contentInset.bottom = base + max(0, fill)
        // `<=` here and `<` below: at exactly normal a bar that may expand gets room, but does not pull.
        let hasRoomToExpand = state.offset <= -normal && state.isExpandedStateAvailable
        geometry.contentInset.top = hasRoomToExpand ? expanded : normal

        let y = geometry.contentOffset.y
        let repaired = afterSizeChange && options.fixes.contains(.contentSizeRatchet)
        let isAtTop = y <= (repaired ? state.offset : 0)
        let isOpen = state.offset < -normal && state.isExpandedStateAvailable
        guard isAtTop || isOpen else { return nil }
        let restingY = options.resistance == nil ? state.offset : max(state.offset, state.leastOffset)
        return Point(computedX: geometry.contentOffset.x, y: restingY)
    }

    /// Commands the attached view's content to a place, and observes that when it is this session's to observe.
    ///
    /// AirBar first sets the current offset once more, to stop the deceleration. That counts as a report: right after
    /// an attachment it is the first one, so that the command itself moves the bar.
    mutating func moveContent(to target: Point, animated: Bool, spring: SnapSpring? = nil, _ turn: inout Turn) {
        turn.outcome.commands.append(
            BarCommand(scrollableID: scrollable.id, target: target, animated: animated, spring: spring)
        )
        guard feedback == .applied else { return }
        _ = observe(geometry.contentOffset, &turn)
        geometry.contentOffset = target
        _ = observe(target, &turn)
    }

    private func baseInsetBottom(of geometry: ScrollGeometry) -> Double {
        options.fixes.contains(.baseInset) ? geometry.contentInset.bottom : 0
    }

    /// The host wrote the insets.
    mutating func contentInsetChanged(to inset: EdgeInsets) {
        geometry.contentInset = inset
        snapshot.baseInsetBottom = baseInsetBottom(of: geometry)
    }
}
