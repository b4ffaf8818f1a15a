import BarLayout

/// Takes the events of one request through a bar, in their order, and collects what is to be stored and said.
///
/// An event with a number that was applied before is compared and replayed, not applied again: so a client that got no
/// answer sends the same again, and ends where it would have ended. Nothing is stored here: a throw leaves the bar as
/// it was, whatever was taken before.
struct EventRun {
    /// What is new for the log.
    private(set) var addition: BarLog.Addition

    private var session: BarSession
    private var revision: Int
    private var sequence: Int
    private var commands: [BarAnswer.NumberedCommand] = []
    private var results: [BarAnswer.EventResult] = []
    private var preconfigured: Preconfigured?
    /// The last event that had been applied before this request, in `replayable`.
    private var lastReplayed: Int?

    private let rules: BarRules
    private let detail: ResultDetail
    private let submission: EventSubmission
    /// The number of the last event before this request.
    private let baseSequence: Int
    /// The events of the log that this request may be about, without a gap up to the last one.
    private let replayable: [BarLog.Step]

    init(
        _ submission: EventSubmission,
        on session: BarSession,
        revision: Int = 0,
        sequence: Int = 0,
        replayable: [BarLog.Step] = [],
        rules: BarRules,
        detail: ResultDetail
    ) {
        self.submission = submission
        self.session = session
        self.revision = revision
        self.sequence = sequence
        self.replayable = replayable
        self.rules = rules
        self.detail = detail
        baseSequence = sequence
        addition = BarLog.Addition(sequence: sequence)
    }

    /// Whether there is something to store.
    private var isNews: Bool { sequence > baseSequence }

    /// Where the run has led, and as much of the way as was asked for.
    var answer: BarAnswer {
        let replayed = isNews ? nil : lastReplayed.map { replayable[$0] }
        return BarAnswer(
            revision: replayed?.revision ?? revision,
            lastSequence: replayed?.sequence ?? sequence,
            session: replayed?.session ?? session,
            commands: commands,
            preconfigured: preconfigured,
            isReplayed: replayed != nil,
            results: detail.scope == .all ? results : nil,
            isBrief: detail.scope == .none
        )
    }

    /// Takes all events; `precondition` is asked before the first new one is applied.
    mutating func run(precondition: () throws -> Void) throws {
        for (index, numbered) in submission.events.enumerated() {
            let number = numbered.sequence ?? sequence + 1
            if number <= baseSequence {
                try replay(numbered.event, number, index)
            } else if number <= sequence {
                try compareWithEarlier(numbered.event, number, index)
            } else {
                guard number == sequence + 1 else {
                    throw BarSessionError.sequenceGap(
                        pointer: submission.pointer(index, "sequence"),
                        expected: sequence + 1
                    )
                }
                if !isNews { try precondition() }
                try apply(numbered.event, index)
            }
        }
    }

    private mutating func apply(_ event: BarEvent, _ index: Int) throws(BarSessionError) {
        // The state before the first new event is the one that is stored, and need not be brought along.
        if isNews, sequence.isMultiple(of: BarLog.segmentEvents) {
            addition.starts.append(BarLog.Checkpoint(session: session, revision: revision, sequence: sequence))
        }
        let outcome: Outcome
        do {
            outcome = try session.apply(event, rules: rules, explaining: detail.explains)
        } catch .scrollableMismatch(let attached, let given) {
            throw .scrollableMismatch(
                pointer: submission.pointer(index, "scrollableId"),
                attached: attached,
                given: given
            )
        } catch {
            throw .invalid(pointer: submission.pointer(index, "type"), error)
        }
        addition.entries.append(.event(event))
        sequence += 1
        revision += 1
        note(outcome, of: sequence, after: session, isReplayed: false)
    }

    /// An event of an earlier request.
    private mutating func replay(_ event: BarEvent, _ number: Int, _ index: Int) throws(BarSessionError) {
        guard let place = replayable.first.map({ number - $0.sequence }) else {
            preconditionFailure("the log was read from the least number on")
        }
        let step = replayable[place]
        try requireSame(event, step.event, number, index)
        lastReplayed = place
        note(step.outcome, of: number, after: step.session, isReplayed: true)
    }

    /// An event that stands in this request twice; its commands are there already.
    private mutating func compareWithEarlier(
        _ event: BarEvent,
        _ number: Int,
        _ index: Int
    ) throws(BarSessionError) {
        guard let earlier = submission.events[..<index].first(where: { $0.sequence == number }) else {
            preconditionFailure("a number that this request has reached was in it")
        }
        try requireSame(event, earlier.event, number, index)
        if let result = results.first(where: { $0.sequence == number }) {
            results.append(
                BarAnswer.EventResult(
                    sequence: number,
                    session: result.session,
                    outcome: result.outcome,
                    isReplayed: true
                )
            )
        }
    }

    private func requireSame(
        _ event: BarEvent,
        _ earlier: BarEvent,
        _ number: Int,
        _ index: Int
    ) throws(BarSessionError) {
        guard event == earlier else {
            throw .sequenceReused(pointer: submission.pointer(index, "sequence"), sequence: number)
        }
    }

    private mutating func note(_ outcome: Outcome, of number: Int, after session: BarSession, isReplayed: Bool) {
        preconfigured = outcome.preconfigured
        for command in outcome.commands {
            commands.append(BarAnswer.NumberedCommand(sequence: number, command: command))
        }
        if detail.scope == .all {
            results.append(
                BarAnswer.EventResult(sequence: number, session: session, outcome: outcome, isReplayed: isReplayed)
            )
        }
    }
}
