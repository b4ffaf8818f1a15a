import BarLayout

/// Takes the events of one request through a bar, in their order, and collects what is to be stored and said.
///
/// An event with a number that was applied before is compared and replayed, not applied again: so a client that got no
/// answer sends the same again, and ends where it would have ended. Nothing is stored here: a throw leaves the bar as
/// it was, whatever was taken before.
struct EventRun {
    /// What is new for the log.
    private(set) var addition: BarLog.Addition

    private let submission: EventSubmission
    /// The events of the log that this request may be about, without a gap up to the last one.
    private let replayable: [BarLog.Step]
    /// The last event that had been applied before this request, in `replayable`.
    private var lastReplayed: Int?

    private let rules: BarRules
    private let detail: ResultDetail
    /// The number of the last event before this request.
    private let baseSequence: Int

    init(
        _ submission: EventSubmission,
        after sequence: Int = 0,
        replayable: [BarLog.Step] = [],
        rules: BarRules,
        detail: ResultDetail
    ) {
        self.submission = submission
        self.replayable = replayable
        self.rules = rules
        self.detail = detail
        baseSequence = sequence
        addition = BarLog.Addition(sequence: sequence)
    }

    /// Takes all events; `precondition` is asked before the first new one is applied.
    ///
    /// `answer` is where the bar stands before them, and afterwards where they have led and as much of the way as was
    /// asked for. It is of no use after a throw.
    mutating func run(_ answer: inout BarAnswer, precondition: () throws -> Void) throws {
        if detail.scope == .all { answer.results = [] }
        answer.isBrief = detail.scope == .none
        for (index, numbered) in submission.events.enumerated() {
            let number = numbered.sequence ?? answer.lastSequence + 1
            if number <= baseSequence {
                try replay(numbered.event, number, index, &answer)
            } else if number <= answer.lastSequence {
                try compareWithEarlier(numbered.event, number, index, &answer)
            } else {
                let expected = answer.lastSequence + 1
                guard number == expected else {
                    throw BarSessionError.sequenceGap(
                        pointer: submission.pointer(index, "sequence"),
                        expected: expected
                    )
                }
                if number == baseSequence + 1 { try precondition() }
                try apply(numbered.event, index, &answer)
            }
        }
        // Nothing new: the answer is that of the last event, whatever has happened since.
        if answer.lastSequence == baseSequence, let lastReplayed {
            let step = replayable[lastReplayed]
            answer.revision = step.revision
            answer.lastSequence = step.sequence
            answer.session = step.session
            answer.isReplayed = true
        }
    }

    private mutating func apply(_ event: BarEvent, _ index: Int, _ answer: inout BarAnswer) throws(BarSessionError) {
        let sequence = answer.lastSequence
        if sequence > baseSequence, sequence.isMultiple(of: BarLog.segmentEvents) {
            addition.starts.append(
                BarRecord(checkpoint: answer.session, revision: answer.revision, lastSequence: sequence)
            )
        }
        let outcome: BarOutcome
        do {
            outcome = try answer.session.apply(event, rules: rules, explaining: detail.explains)
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
        answer.lastSequence += 1
        answer.revision += 1
        answer.note(outcome, of: answer.lastSequence)
        answer.results?.append(
            BarAnswer.EventResult(
                sequence: answer.lastSequence,
                session: answer.session,
                outcome: outcome,
                isReplayed: false
            )
        )
    }

    /// An event of an earlier request.
    private mutating func replay(
        _ event: BarEvent,
        _ number: Int,
        _ index: Int,
        _ answer: inout BarAnswer
    ) throws(BarSessionError) {
        guard let place = replayable.first.map({ number - $0.sequence }) else {
            preconditionFailure("the log was read from the least number on")
        }
        let step = replayable[place]
        try requireSame(event, step.event, number, index)
        lastReplayed = place
        answer.note(step.outcome, of: number)
        answer.results?.append(
            BarAnswer.EventResult(sequence: number, session: step.session, outcome: step.outcome, isReplayed: true)
        )
    }

    /// An event that stands in this request twice; its commands are there already.
    private func compareWithEarlier(
        _ event: BarEvent,
        _ number: Int,
        _ index: Int,
        _ answer: inout BarAnswer
    ) throws(BarSessionError) {
        guard let earlier = submission.events[..<index].first(where: { $0.sequence == number }) else {
            preconditionFailure("a number that this request has reached was in it")
        }
        try requireSame(event, earlier.event, number, index)
        if let result = answer.results?.first(where: { $0.sequence == number }) {
            answer.results?.append(
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
}

extension BarAnswer {
    /// Takes in what an event brought about.
    fileprivate mutating func note(_ outcome: BarOutcome, of sequence: Int) {
        preconfigured = outcome.preconfigured
        for command in outcome.commands { commands.append(NumberedCommand(sequence: sequence, command: command)) }
    }
}
