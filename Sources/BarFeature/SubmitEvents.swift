import BarLayout
import HTTPExchange
import Primitives

/// Applies the events of one request to a bar, all or none.
///
/// An event with a used number is compared with the one in the log and replayed. So a client that got no answer
/// sends the same request again and gets the same result. Conditions are evaluated only if there is a new event: a retry
/// has met them before (RFC 9110, section 13.1.1).
struct SubmitEvents: BarOperation {
    let id: BarID
    let submission: EventSubmission
    let detail: ResultDetail
    let conditions: WriteConditions
    let memory: RequestMemory

    func needsLog(_ record: BarRecord) -> Bool {
        guard let first = submission.sequences?.first else { return false }
        return first <= record.lastSequence
    }

    var isShort: Bool { submission.count <= 8 && detail.scope != .all }

    /// Numbered events are compared with those in the log.
    var isIdempotent: Bool { submission.sequences != nil }

    func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        var run = EventRun(id: id, after: record.lastSequence, detail: detail)
        if let log { try run.replay(submission, log) }
        try run.apply(submission, to: &record, conditions)
        if run.addition.isEmpty {
            run.answer.expiresAt = record.expiresAt
            run.answer.isReplayed = true
            var state = run.lastRepeated.map { run.earlier[$0].record } ?? record
            // A replayed state does not have it.
            state.creation = record.creation
            return .keep(try run.answer.encoded(state, in: memory))
        }
        record.renew(at: now)
        run.answer.expiresAt = record.expiresAt
        let answer = try run.answer.encoded(record, in: memory)
        let commands = run.answer.commands
        return .write(BarWrite(addition: run.addition, commands: commands, answer: answer))
    }
}

/// The application of the events of one request to a bar.
struct EventRun: ~Copyable {
    private(set) var addition = LogAddition()
    /// The answer, with the effects of the events so far.
    var answer: BarAnswer

    private let lastBefore: Int
    private let detail: ResultDetail
    /// The earlier events that the request may repeat: those of the log from the least number in the request on.
    private(set) var earlier: [EventResult] = []
    /// The index in `earlier` of the newest event that the request repeated.
    private(set) var lastRepeated: Int?
    /// The numbers of the repeated events with effects in the answer; a number may occur several times.
    private var repeated: Set<Int> = []

    init(id: BarID?, after lastSequence: Int, detail: ResultDetail) {
        self.detail = detail
        lastBefore = lastSequence
        answer = BarAnswer(id: id, isBrief: detail.scope == .none)
        if detail.scope == .all { answer.results = [] }
    }

    /// Replays the part of the log that the request may repeat.
    ///
    /// The log may end before the first event of the request: a copy of the bar that was ahead of the store asked for it.
    mutating func replay(_ submission: EventSubmission, _ log: BarLog) throws {
        guard let (first, last) = submission.sequences, first <= lastBefore else { return }
        let end = min(last, lastBefore)
        guard let events = try log.replay(from: first, to: end, explaining: detail.explains) else {
            throw BarSessionError.sequenceTrimmed(first: log.firstSequence)
        }
        earlier = events
    }

    /// Applies all events to the bar; conditions are evaluated before the first new one.
    mutating func apply(
        _ submission: EventSubmission,
        to record: inout BarRecord,
        _ conditions: WriteConditions? = nil
    ) throws(BarSessionError) {
        for index in 0..<submission.count {
            let next = record.lastSequence + 1
            let number = submission[index].sequence ?? next
            if number < next {
                try compare(submission, index, number)
            } else {
                guard number == next else {
                    throw .sequenceGap(pointer: submission.pointer(index, "sequence"), expected: next)
                }
                if addition.isEmpty, let conditions { try record.require(conditions) }
                try applyNew(submission, index, to: &record)
            }
        }
    }

    private mutating func applyNew(
        _ submission: EventSubmission,
        _ index: Int,
        to record: inout BarRecord
    ) throws(BarSessionError) {
        let event = submission[index].event
        let outcome: BarOutcome
        do {
            outcome = try record.session.apply(event, explaining: detail.explains)
        } catch {
            // The only reason is that the event is about another view.
            throw .invalid(pointer: submission.pointer(index, "scrollableId"), error)
        }
        addition.append(.event(event))
        record.lastSequence += 1
        record.revision += 1
        answer.results?.append(EventResult(event: event, record: record, outcome: outcome, isReplayed: false))
        answer.add(consume outcome, of: record.lastSequence)
    }

    /// Compares an event with the one that has its number, in the log or earlier in the request.
    private mutating func compare(_ submission: EventSubmission, _ index: Int, _ number: Int) throws(BarSessionError) {
        let original: BarEvent?
        var result: EventResult?
        if number <= lastBefore {
            // The log was replayed from the least number in the request on.
            guard let first = earlier.first?.record.lastSequence, earlier.indices ~= number - first else {
                throw .sequenceTrimmed(first: nil)
            }
            lastRepeated = max(lastRepeated ?? 0, number - first)
            let replayed = earlier[number - first]
            original = replayed.event
            result = replayed
            if repeated.insert(number).inserted { answer.add(replayed.outcome, of: number) }
        } else {
            // An event of this request has this number, and the answer already has its commands.
            original = (0..<index).first { submission[$0].sequence == number }.map { submission[$0].event }
            result = answer.results?.first { $0.record.lastSequence == number }
            result?.isReplayed = true
        }
        guard submission[index].event == original else {
            throw .sequenceReused(pointer: submission.pointer(index, "sequence"), sequence: number)
        }
        if let result { answer.results?.append(result) }
    }
}

extension BarAnswer {
    fileprivate mutating func add(_ outcome: consuming BarOutcome, of sequence: Int) {
        for command in outcome.commands { commands.append(NumberedCommand(sequence: sequence, command: command)) }
        if outcome.preconfigured != nil || preconfigured != nil { preconfigured = outcome.preconfigured }
    }
}
