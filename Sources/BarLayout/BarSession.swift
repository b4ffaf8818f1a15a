// AirBar's controller as a value. An event goes in, commands come out, and what is remembered between two events is in
// `snapshot`, all of it: also the two values that AirBar keeps in the captured variables of its observers. A session
// restored without them would drop the first event after every reload.

/// A bar, the scroll view it is attached to, and what it has observed.
package struct BarSession: Sendable, Equatable {
    package let feedback: Feedback
    package let options: BarOptions
    /// The client's numbers that follow the bar; no rule reads them.
    package var tracks: Tracks
    /// Everything that events change.
    package internal(set) var snapshot: Snapshot

    /// A bar as it was when the snapshot was taken.
    package init(
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

    /// A new bar at its normal height, and what attaching the view brought about.
    package static func attached(
        to scrollable: Scrollable,
        configuration: BarConfiguration,
        feedback: Feedback = .applied,
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks(),
        rules: BarRules,
        explaining: Bool = false
    ) -> (session: BarSession, outcome: Outcome) {
        let snapshot = Snapshot(state: BarState(configuration: configuration), scrollable: scrollable)
        var session = BarSession(restoring: snapshot, feedback: feedback, options: options, tracks: tracks)
        var turn = Turn(rules: rules, explaining: explaining)
        session.attach(scrollable, &turn)
        return (session, turn.outcome)
    }

    /// Goes back, or ahead, to the moment of a snapshot of the same bar.
    package mutating func restore(_ snapshot: Snapshot) {
        self.snapshot = snapshot
    }

    /// Applies an event, and says what it brought about.
    ///
    /// - Throws: `scrollableMismatch` when the event means another view than the attached one; the session is then as
    ///   it was.
    package mutating func apply(
        _ event: BarEvent,
        rules: BarRules,
        explaining: Bool = false
    ) throws(BarLayoutError) -> Outcome {
        if let given = event.scrollableID, given != scrollable.id {
            throw .scrollableMismatch(attached: scrollable.id, given: given)
        }
        let before = state
        var turn = Turn(rules: rules, explaining: explaining)
        switch event.action {
        case .contentOffset(let offset): contentOffsetChanged(to: offset, source: event.source, &turn)
        case .contentSize(let size): contentSizeChanged(to: size, &turn)
        case .frame(let frame): geometry.frame = frame
        case .contentInset(let inset): contentInsetChanged(to: inset)
        case .panGesture(let state, let velocity): panGestureChanged(to: state, velocity: velocity, &turn)
        case .expand(let on): expand(on, &turn)
        case .set(let scrollable): attach(scrollable, &turn)
        case .preconfigure(let scrollable): preconfigure(scrollable, &turn)
        }
        turn.outcome.crossings = Crossing.between(before, and: state)
        return turn.outcome
    }

    /// All that a bar remembers from one event to the next.
    package struct Snapshot: Sendable, Equatable {
        package internal(set) var state: BarState
        /// The attached view.
        package internal(set) var scrollable: Scrollable
        /// The last offset observed since the attachment; nil before the first.
        package internal(set) var previousContentOffset: Point?
        /// The last size observed since the attachment; nil before the first.
        package internal(set) var previousContentSize: Size?
        /// The host's own bottom inset, in points; 0 without the `baseInset` repair.
        package internal(set) var baseInsetBottom: Double = 0

        init(state: BarState, scrollable: Scrollable) {
            self.state = state
            self.scrollable = scrollable
        }
    }

    /// One application of an event: what it may use, and what it has brought about so far.
    ///
    /// There is one, which is never copied.
    struct Turn: ~Copyable {
        let rules: BarRules
        var outcome = Outcome()

        init(rules: BarRules, explaining: Bool) {
            self.rules = rules
            if explaining { outcome.explanation = Explanation(rule: .stored) }
        }

        mutating func fire(_ rule: Explanation.Rule) {
            outcome.explanation?.rule = rule
        }
    }
}

extension BarSession {
    package internal(set) var state: BarState {
        get { snapshot.state }
        set { snapshot.state = newValue }
    }

    /// The attached view.
    package var scrollable: Scrollable { snapshot.scrollable }

    /// The top inset of the scroll indicators, in points: normal, also while the bar is taller.
    package var scrollIndicatorInsetTop: Double { configuration.normalStateHeight }

    package var configuration: BarConfiguration { snapshot.state.configuration }

    var geometry: ScrollGeometry {
        get { snapshot.scrollable.geometry }
        set { snapshot.scrollable.geometry = newValue }
    }
}
