// The attachment of a view, and the configuration of one that is shown next.
extension BarSession {
    /// Attaches a view in place of the present one, and leaves the insets of the present one.
    ///
    /// The state of the bar stays, except for the stretch by a pull on the old view. AirBar starts to observe after it has
    /// configured the view: it does not see the move of that step, and only remembers the first offset reported.
    mutating func attach(_ scrollable: Scrollable, _ outcome: inout BarOutcome) {
        releaseStretch()
        snapshot.scrollable = scrollable
        snapshot.baseInsetBottom = baseInsetBottom(of: scrollable.geometry)
        let target = prepare(&geometry, base: snapshot.baseInsetBottom, clientInsetTop: 0)
        if let target {
            outcome.commands.append(BarCommand(scrollableID: scrollable.id, target: target, animated: false))
            if feedback == .applied { geometry.contentOffset = target }
        }
        let primed = options.fixes.contains(.primeOnAttach)
        snapshot.previousContentOffset = primed ? target ?? geometry.contentOffset : nil
        snapshot.previousContentSize = nil
        outcome.explain(.attached)
    }

    /// Configures a view: the attached one with the geometry of the session, another one with that of the event.
    mutating func preconfigure(_ scrollable: Scrollable, _ outcome: inout BarOutcome) {
        var prepared = scrollable.geometry
        if scrollable.id.hasBytes(of: self.scrollable.id) {
            preconfigureAttached(&outcome)
            prepared = geometry
        } else if let target = prepare(&prepared, base: baseInsetBottom(of: prepared), clientInsetTop: 0) {
            outcome.commands.append(BarCommand(scrollableID: scrollable.id, target: target, animated: false))
        }
        outcome.preconfigured = Preconfigured(
            scrollableID: scrollable.id,
            contentInset: prepared.contentInset,
            scrollIndicatorInsetTop: scrollIndicatorInsetTop
        )
        outcome.explain(.preconfigured)
    }

    /// Configures the attached view, and observes the move that this causes.
    mutating func preconfigureAttached(afterSizeChange: Bool = false, _ outcome: inout BarOutcome) {
        let start = geometry.startY
        let target = prepare(
            &geometry,
            base: snapshot.baseInsetBottom,
            clientInsetTop: clientInsetTop,
            afterSizeChange: afterSizeChange
        )
        settle(at: start)
        if let target { moveContent(to: target, animated: false, &outcome) }
    }

    /// Sets the insets that a view needs below the bar; returns the offset to which its content has to move, or nil.
    ///
    /// The bottom inset lets short content scroll far enough to make the bar compact. The content moves to the edge of the
    /// bar if the view is at its top, or if the bar is taller than normal. `base` and `clientInsetTop` are the client's own
    /// insets. The top one of a view that was not attached is unknown: it may be that of an earlier bar.
    private func prepare(
        _ geometry: inout ScrollGeometry,
        base: Double,
        clientInsetTop: Double,
        afterSizeChange: Bool = false
    ) -> Point? {
        let (normal, expanded) = (configuration.normalStateHeight, configuration.expandedStateHeight)
        geometry.contentInset.bottom = max(base, fillingInsetBottom(of: geometry))
        // `<=` here and `<` below: at exactly normal a bar that may expand gets the inset, but the content does not move.
        let hasRoomToExpand = state.offset <= -normal && state.isExpandedStateAvailable
        geometry.contentInset.top = (hasRoomToExpand ? expanded : normal) + clientInsetTop

        let y = geometry.contentOffset.y
        let repaired = afterSizeChange && options.fixes.contains(.contentSizeRatchet)
        let isAtTop = y <= (repaired ? state.offset - clientInsetTop : 0)
        let isOpen = state.offset < -normal && state.isExpandedStateAvailable
        guard isAtTop || isOpen else { return nil }
        let restingY = options.resistance == nil ? state.offset : max(state.offset, state.leastOffset)
        return Point(computedX: geometry.contentOffset.x, y: restingY - clientInsetTop)
    }

    /// Commands a move of the attached view's content; with `applied` feedback it also observes the move.
    ///
    /// AirBar first sets the current offset again, to stop the deceleration. This counts as a report: right after an
    /// attachment it is the first one, so the command itself moves the bar.
    mutating func moveContent(
        to target: Point,
        animated: Bool,
        spring: SnapSpring? = nil,
        _ outcome: inout BarOutcome
    ) {
        outcome.commands.append(.init(scrollableID: scrollableID, target: target, animated: animated, spring: spring))
        guard feedback == .applied else { return }
        _ = observe(geometry.contentOffset, &outcome)
        geometry.contentOffset = target
        _ = observe(target, isOwn: true, &outcome)
    }

    /// Stores a frame, and the bottom inset that its height needs.
    ///
    /// Without the repair, the bar does not know which part of the inset is its own, so it takes nothing away.
    mutating func frameChanged(to frame: Rect) {
        geometry.frame = frame
        let base = options.fixes.contains(.baseInset) ? snapshot.baseInsetBottom : geometry.contentInset.bottom
        geometry.contentInset.bottom = max(base, fillingInsetBottom(of: geometry))
    }

    /// Returns the bottom inset with which the content can just make the bar compact; it is negative for long content.
    private func fillingInsetBottom(of geometry: ScrollGeometry) -> Double {
        geometry.frame.height - configuration.compactStateHeight - geometry.contentSize.height
    }

    /// The client's own part of the top inset of the attached view, such as that of a refresh control; 0 without the repair.
    ///
    /// The bar's part is one of its heights, and a bar that may not expand has only the normal one.
    var clientInsetTop: Double {
        guard options.fixes.contains(.baseInset) else { return 0 }
        let (top, expanded) = (geometry.contentInset.top, configuration.expandedStateHeight)
        let isExpanded = state.isExpandedStateAvailable && top >= expanded
        return max(0, top - (isExpanded ? expanded : configuration.normalStateHeight))
    }

    private func baseInsetBottom(of geometry: ScrollGeometry) -> Double {
        options.fixes.contains(.baseInset) ? geometry.contentInset.bottom : 0
    }

    /// Stores the insets that the client set; with the repair, the bottom one keeps the room that the content needs.
    mutating func contentInsetChanged(to inset: EdgeInsets) {
        geometry.contentInset = inset
        snapshot.baseInsetBottom = baseInsetBottom(of: geometry)
        guard options.fixes.contains(.baseInset) else { return }
        geometry.contentInset.bottom = max(snapshot.baseInsetBottom, fillingInsetBottom(of: geometry))
    }
}
