import BarLayout
import HTTPExchange
import Primitives

/// Applies the events of one request to a bar, all or none.
///
/// An event with a used number is compared with the one in the log and replayed. So a client that got no answer
/// sends the same request again and gets the same result. `If-Match` is evaluated only if there is a new event: a retry
/// has met its condition before (RFC 9110, section 13.1.1).
struct SubmitEvents: BarOperation {
    let id: BarID
    let submission: EventSubmission
    let detail: ResultDetail
    let ifMatch: EntityTagCondition?
    let rules: BarRules
    let memory: RequestMemory

    func needsLog(_ record: BarRecord) -> Bool {
        guard let first = submission.sequences?.first else { return false }
        return first <= record.lastSequence
    }

    /// Numbered events are compared with those in the log.
    var isRepeatable: Bool { submission.sequences != nil }

    func decide(_ record: BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        var run = EventRun(submission, after: record, rules: rules, detail: detail, memory: memory)
        if let log { try run.replay(log) }
        try run.applyAll(ifMatch)
        if run.addition.isEmpty { return .keep(try run.replayed(id)) }
        return .write(try run.write(id, at: now))
    }
}

/// The application of the events of one request to a bar.
struct EventRun: ~Copyable {
    /// The bar after the events so far.
    private(set) var session: BarSession
    private(set) var revision: Int
    private(set) var lastSequence: Int
    /// The new events, for the log.
    private(set) var addition = LogAddition()
    private(set) var effects = EventEffects()

    private let submission: EventSubmission
    /// The bar before the request.
    private let start: BarRecord
    private let rules: BarRules
    private let detail: ResultDetail
    private let memory: RequestMemory
    /// The earlier events that the request may repeat: those of the log from the least number in the request on.
    private var earlier: [BarLog.ReplayedEvent] = []
    /// The index in `earlier` of the last event that the request repeated.
    private var lastRepeated: Int?

    init(
        _ submission: EventSubmission,
        after start: BarRecord,
        rules: BarRules,
        detail: ResultDetail,
        memory: RequestMemory
    ) {
        self.memory = memory
        self.submission = submission
        self.start = start
        self.rules = rules
        self.detail = detail
        session = start.session
        revision = start.revision
        lastSequence = start.lastSequence
        if detail.scope == .all { effects.results = [] }
    }

    /// Replays the part of the log that the request may repeat.
    ///
    /// The log may end before the first event of the request, because a copy of the bar that was ahead of the store asked
    /// for it.
    mutating func replay(_ log: BarLog) throws {
        guard let (first, last) = submission.sequences, first <= start.lastSequence else { return }
        let known = min(last, start.lastSequence)
        guard let events = try log.replay(from: first, to: known, rules: rules, explaining: detail.explains) else {
            throw BarSessionError.sequenceTrimmed(first: log.firstSequence)
        }
        earlier = events
    }

    /// Applies all events; `ifMatch` is evaluated before the first new one.
    mutating func applyAll(_ ifMatch: EntityTagCondition? = nil) throws(BarSessionError) {
        for index in submission.events.indices {
            let number = submission.events[index].sequence ?? lastSequence + 1
            if number <= lastSequence {
                try compare(index, number)
            } else {
                guard number == lastSequence + 1 else {
                    throw .sequenceGap(pointer: submission.pointer(index, "sequence"), expected: lastSequence + 1)
                }
                if addition.isEmpty { try start.require(ifMatch) }
                try applyNew(index)
            }
        }
    }

    /// Returns the answer to a request without new events: the state after its last event.
    consuming func replayed(_ id: BarID) throws -> EncodedBar {
        var result = start
        if let lastRepeated {
            let last = earlier[lastRepeated]
            result = BarRecord(checkpoint: last.session, revision: last.revision, lastSequence: last.sequence)
        }
        let answer = BarAnswer(
            id: id,
            record: result,
            expiresAt: start.expiresAt,
            effects: effects,
            isReplayed: true,
            isBrief: detail.scope == .none
        )
        return try answer.encoded(in: memory)
    }

    /// Returns the write of the new events.
    consuming func write(_ id: BarID, at now: WallTime) throws -> BarWrite {
        let next = start.next(session, revision: revision, lastSequence: lastSequence, now: now)
        let commands = effects.commands
        let answer = BarAnswer(
            id: id,
            record: next,
            expiresAt: next.expiresAt,
            effects: effects,
            isBrief: detail.scope == .none
        )
        return BarWrite(record: next, addition: addition, commands: commands, answer: try answer.encoded(in: memory))
    }

    private mutating func applyNew(_ index: Int) throws(BarSessionError) {
        let event = submission.events[index].event
        let outcome: BarOutcome
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
        addition.append(.event(event))
        lastSequence += 1
        revision += 1
        effects.add(outcome, of: lastSequence)
        effects.results?.append(
            EventResult(sequence: lastSequence, session: session, outcome: outcome, isReplayed: false)
        )
    }

    /// Compares an event with the one that has its number, in the log or earlier in the request.
    private mutating func compare(_ index: Int, _ number: Int) throws(BarSessionError) {
        let original: BarEvent
        var result: EventResult?
        if number <= start.lastSequence {
            // The log was replayed from the least number in the request on.
            guard let first = earlier.first, earlier.indices ~= number - first.sequence else {
                throw .sequenceTrimmed(first: nil)
            }
            lastRepeated = number - first.sequence
            let replayed = earlier[number - first.sequence]
            original = replayed.event
            result = EventResult(
                sequence: number,
                session: replayed.session,
                outcome: replayed.outcome,
                isReplayed: true
            )
            effects.add(replayed.outcome, of: number)
        } else {
            // An event of this request has this number, and the answer already has its commands.
            guard let same = submission.events[..<index].first(where: { $0.sequence == number }) else {
                throw .sequenceReused(pointer: submission.pointer(index, "sequence"), sequence: number)
            }
            original = same.event
            result = effects.results?.first { $0.sequence == number }
            result?.isReplayed = true
        }
        guard submission.events[index].event == original else {
            throw .sequenceReused(pointer: submission.pointer(index, "sequence"), sequence: number)
        }
        if let result { effects.results?.append(result) }
    }
}

extension EventEffects {
    /// Adds the outcome of an event.
    fileprivate mutating func add(_ outcome: BarOutcome, of sequence: Int) {
        preconfigured = outcome.preconfigured
        for command in outcome.commands { commands.append(NumberedCommand(sequence: sequence, command: command)) }
    }
}
