// The effects of the content's moves and of its size on the bar.

extension BarSession {
    /// Handles a reported offset.
    ///
    /// With `applied` feedback the samples of the bar's own animation are ignored: the command was observed already, and the
    /// samples would undo the snap.
    mutating func contentOffsetChanged(
        to offset: Point,
        source: BarEvent.Source,
        _ rules: BarRules,
        _ outcome: inout BarOutcome
    ) {
        if source == .animation, feedback == .applied { return outcome.explain(.ownAnimation) }
        geometry.contentOffset = offset
        let rule = observe(offset, rules, &outcome)
        outcome.explain(rule)
    }

    /// Observes an offset: an equal one has no effect, the first one is remembered, any other moves the bar.
    mutating func observe(_ offset: Point, _ rules: BarRules, _ outcome: inout BarOutcome) -> Explanation.Rule {
        guard let previous = snapshot.previousContentOffset else {
            snapshot.previousContentOffset = offset
            return .primed
        }
        guard previous != offset else { return .duplicate }
        reduce(from: previous, to: offset, rules, &outcome)
        snapshot.previousContentOffset = offset
        return .reduced
    }

    /// Handles a reported size.
    ///
    /// The first one after an attachment has an effect even if the size did not change.
    mutating func contentSizeChanged(to size: Size, _ rules: BarRules, _ outcome: inout BarOutcome) {
        geometry.contentSize = size
        guard snapshot.previousContentSize != size else { return outcome.explain(.duplicate) }
        snapshot.previousContentSize = size
        preconfigureAttached(afterSizeChange: true, rules, &outcome)
        outcome.explain(.preconfigured)
    }

    private mutating func reduce(from previous: Point, to offset: Point, _ rules: BarRules, _ outcome: inout BarOutcome)
    {
        releaseStretch()
        let parameters = DeltaYParameters(
            geometry: geometry,
            previousContentOffset: previous,
            contentOffset: offset,
            state: state,
            deltaY: 0
        )
        let reducer = rules.reducer ?? (trimsOverscroll ? .overscrollRepaired : .airBar)
        state.offset = reducer.offset(parameters, explaining: &outcome.explanation)
        if let resistance = options.resistance, state.offset <= state.leastOffset {
            let stretch = resistance.stretch(by: max(0, geometry.startY - offset.y))
            state.offset -= stretch
            outcome.explanation?.addStage(name: "resistance", deltaY: state.offset - parameters.state.offset)
        }
    }

    /// Whether the stages compare offsets at rest, as they do with a resistance, which reads the over-scroll itself.
    var trimsOverscroll: Bool { options.resistance != nil || options.fixes.contains(.overscroll) }

    /// Removes the stretch of a bar with a resistance.
    ///
    /// The stretch depends on the content's offset alone. It is removed before every move and added after it, so it cannot
    /// accumulate.
    mutating func releaseStretch() {
        if options.resistance != nil { state.offset = max(state.offset, state.leastOffset) }
    }
}
