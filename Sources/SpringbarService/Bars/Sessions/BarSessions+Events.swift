import BarLayout
import Primitives

extension BarSessions {
    /// Applies the events of one request, all or none.
    ///
    /// Events that were applied before are answered as they were then; `precondition` is asked, with the present
    /// revision, only when there is something new: a retry that finds everything done has met its condition before
    /// (RFC 9110, section 13.1.1).
    func submit(
        _ submission: EventSubmission,
        to id: BarID,
        detail: ResultDetail = .last,
        precondition: (_ revision: Int) throws -> Void = { _ in }
    ) throws -> BarAnswer {
        try write(id) { record, now, answer in
            var run = EventRun(
                submission,
                after: record.lastSequence,
                replayable: try replayable(submission, id, record, explaining: detail.explains, now),
                rules: rules,
                detail: detail
            )
            let revision = record.revision
            try run.run(&answer) { try precondition(revision) }
            return run.addition
        }
    }

    /// Applies events to a bar that is never stored, and tells every one.
    func tryOut(
        _ submission: EventSubmission,
        on blueprint: BarBlueprint,
        explaining: Bool
    ) throws -> BarAnswer {
        let (session, outcome) = attach(blueprint)
        var answer = BarAnswer(revision: 0, lastSequence: 0, session: session)
        var run = EventRun(submission, rules: rules, detail: ResultDetail(scope: .all, explains: explaining))
        try run.run(&answer) {}
        answer.commands = outcome.commands.map { .init(sequence: 0, command: $0) } + answer.commands
        try answer.encodeResults(canAskForLess: false)
        return answer
    }

    /// The part of the log that a request may be about again.
    private func replayable(
        _ submission: EventSubmission,
        _ id: BarID,
        _ record: BarRecord,
        explaining: Bool,
        _ now: WallTime
    ) throws(BarSessionError) -> [BarLog.Step] {
        guard let (first, last) = submission.sequences, first <= record.lastSequence else { return [] }
        guard let log = store.loadWithLog(id, now: now)?.log else { throw .notFound }
        let wanted = first...min(last, record.lastSequence)
        guard let steps = log.replay(wanted, rules: rules, explaining: explaining) else {
            throw .sequenceTrimmed(first: log.firstSequence)
        }
        return steps
    }
}

extension EventSubmission {
    /// The least and the greatest number; nil when the events have none.
    fileprivate var sequences: (first: Int, last: Int)? {
        guard var first = events.first?.sequence else { return nil }
        var last = first
        for case let number? in events.lazy.map(\.sequence) {
            first = min(first, number)
            last = max(last, number)
        }
        return (first, last)
    }
}
