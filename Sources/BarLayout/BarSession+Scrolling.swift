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
        let parameters = DeltaYParameters(
            geometry: geometry,
            previousContentOffset: previous,
            contentOffset: offset,
            state: options.resistance == nil ? state : released(from: previous.y),
            deltaY: 0
        )
        let reducer = turn.rules.reducer ?? self.reducer
        state.offset = reducer.offset(parameters, explaining: &turn.outcome.explanation)
        if let resistance = options.resistance, state.offset <= state.leastOffset {
            state.offset -= resistance.give(to: max(0, geometry.startY - offset.y))
        }
    }

    /// A resisting bar gets the pull from the over-scroll itself, so its stages must not.
    private var reducer: Reducer {
        options.resistance != nil || options.fixes.contains(.overscroll) ? .overscrollRepaired : .airBar
    }

    /// The state without what a pull stretched it beyond its limit: the stretch depends on the content's offset alone,
    /// so it is taken off before a move and put on after it, and cannot add up.
    private func released(from y: Double) -> BarState {
        var state = state
        if isStretched(at: y) { state.offset = state.leastOffset }
        return state
    }

    /// Whether the bar is taller than allowed because it gives way to a pull.
    func isStretched(at y: Double) -> Bool {
        options.resistance != nil && y < geometry.startY && state.offset < state.leastOffset
    }
}
