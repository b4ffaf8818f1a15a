// What the content's moves and growth do to the bar.

extension BarSession {
    /// The view reported an offset.
    ///
    /// Samples of the bar's own animation tell nothing new when the command was observed as it was given; taken for
    /// moves of the user's they would undo the snap.
    mutating func contentOffsetChanged(to offset: Point, source: BarEvent.Source, _ turn: inout Turn) {
        if source == .animation, feedback == .applied { return turn.fire(.ownAnimation) }
        geometry.contentOffset = offset
        let rule = observe(offset, &turn)
        turn.fire(rule)
    }

    /// Takes note of an offset: the same again is nothing, the first one is only remembered, any other moves the bar.
    mutating func observe(_ offset: Point, _ turn: inout Turn) -> Explanation.Rule {
        guard let previous = snapshot.previousContentOffset else {
            snapshot.previousContentOffset = offset
            return .primed
        }
        guard previous != offset else { return .duplicate }
        reduce(from: previous, to: offset, &turn)
        snapshot.previousContentOffset = offset
        return .reduced
    }

    /// The view reported a size.
    ///
    /// The first after an attachment always counts, also when it is the size already held.
    mutating func contentSizeChanged(to size: Size, _ turn: inout Turn) {
        geometry.contentSize = size
        guard snapshot.previousContentSize != size else { return turn.fire(.duplicate) }
        snapshot.previousContentSize = size
        preconfigureAttached(afterSizeChange: true, &turn)
        turn.fire(.preconfigured)
    }

    private mutating func reduce(from previous: Point, to offset: Point, _ turn: inout Turn) {
        releaseStretch()
        let parameters = DeltaYParameters(
            geometry: geometry,
            previousContentOffset: previous,
            contentOffset: offset,
            state: state,
            deltaY: 0
        )
        let reducer = turn.rules.reducer ?? (trimsOverscroll ? .overscrollRepaired : .airBar)
        state.offset = reducer.offset(parameters, explaining: &turn.outcome.explanation)
        if let resistance = options.resistance, state.offset <= state.leastOffset {
            let stretch = resistance.give(to: max(0, geometry.startY - offset.y))
            state.offset -= stretch
            turn.outcome.explanation?.addStage(name: "resistance", deltaY: state.offset - parameters.state.offset)
        }
    }

    /// Whether the stages compare offsets at rest: a resisting bar gets the pull from the over-scroll itself.
    var trimsOverscroll: Bool { options.resistance != nil || options.fixes.contains(.overscroll) }

    /// Takes off what a pull stretched a resisting bar beyond its limit.
    ///
    /// The stretch depends on the content's offset alone: taken off before every move and put on after it, it cannot
    /// add up.
    mutating func releaseStretch() {
        if options.resistance != nil { state.offset = max(state.offset, state.leastOffset) }
    }
}
