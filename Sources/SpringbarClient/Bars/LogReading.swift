import BarLayout

/// Brings the confirmed bar to the end of the service's log, page by page; own events are found by their marks.
struct LogReading: Sendable {
    /// The commands of other writers; none if the whole log is read, because they are of the past.
    private(set) var others: [BarCommand] = []
    /// The numbers of this client's events in the log.
    private(set) var found: [ClosedRange<Int>] = []
    /// Whether the log has not told all events.
    private(set) var hasGap = false
    private let definition: BarDefinition?
    private var after: Int
    private var isComplete: Bool
    private(set) var next: BarRequest

    /// A reading after a number, or of the whole log if there is a definition; `isGone` if the log begins too late.
    init(after: Int, definition: BarDefinition?, isGone: Bool, _ prediction: inout Prediction) {
        self.definition = definition
        self.after = definition == nil ? after : 0
        // A whole log may belong to another definition than this one, so its end is compared with the service's.
        isComplete = definition == nil && !isGone
        if definition != nil {
            prediction.queue.restart()
            prediction.revision = 0
        }
        next = .log(after: self.after)
    }

    /// Handles the response to the last request; returns true if the confirmed bar is now that at the end of the log.
    mutating func receive(_ reply: BarReply, _ prediction: inout Prediction) -> Bool {
        switch reply {
        case .page(let page): return apply(page, &prediction)
        case .bar(let bar):
            if case .read = next {
                prediction.queue.restart(at: bar.lastSequence)
                hasGap = true
            }
            prediction.adopt(bar)
            prediction.revision = max(prediction.revision, bar.revision)
            return true
        }
    }

    /// Reads the rest of the log again before the state: other writers may have added events since.
    mutating func repeatLog() {
        next = .log(after: after)
    }

    /// Reads the current state instead of one that is no longer kept; returns false if no state was read.
    mutating func stateIsGone() -> Bool {
        guard case .state = next else { return false }
        next = .read
        return true
    }

    private mutating func apply(_ page: LogPage, _ prediction: inout Prediction) -> Bool {
        let sequences = page.entries.lazy.compactMap { entry in
            if case .event(_, let sequence) = entry { sequence } else { nil }
        }
        if let definition, after == 0, sequences.first ?? 1 == 1, prediction.queue.sequence == 0 {
            prediction.begin(definition)
        }
        for entry in page.entries {
            if !apply(entry, &prediction) { isComplete = false }
        }
        // After a page without a new number, the next one would be the same.
        let hasMore = page.hasMore && prediction.queue.sequence > after
        after = prediction.queue.sequence
        next = hasMore ? .log(after: after) : .state(at: after)
        return !hasMore && isComplete
    }

    /// Applies an entry of any writer; returns false if entries before it are missing.
    private mutating func apply(_ entry: LogPage.Entry, _ prediction: inout Prediction) -> Bool {
        switch entry {
        case .tracks(let changes, let revision):
            prediction.confirmLogged(changes, revision: revision)
            return true
        case .event(let event, let sequence):
            let confirmed = prediction.queue.sequence
            guard sequence > confirmed else { return true }
            if sequence > confirmed + 1 { hasGap = true }
            prediction.revision += 1
            guard let event else {
                // It cannot be sent again, and so not those before it.
                prediction.queue.restart(at: sequence)
                return false
            }
            let own = prediction.queue.takeOwn(event)
            // Events that this client sent before were applied before, although the log has lost them.
            for entry in own?.dropLast() ?? [] { _ = prediction.confirm(entry.event) }
            let outcome = prediction.confirm(event)
            if let own { found.append(sequence - own.count + 1...sequence) }
            if own == nil, definition == nil, let outcome { others += outcome.commands }
            prediction.queue.append(NumberedEvent(sequence: sequence, event: event))
            return sequence == confirmed + 1 && outcome != nil
        }
    }
}
