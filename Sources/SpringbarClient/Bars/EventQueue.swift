import BarLayout
import ClientJSON

// The queue of a bar's events: those that are not confirmed, and the last confirmed ones.
//
// The service numbers the events of a bar without gaps. A number that is sent again with the same content gets the same
// response, so a batch without a response is sent again unchanged. Events of different writers never have the same
// content, because each has a mark in its `timestamp`. A number that another writer used first is therefore detected,
// and events of this client are found in the log.

/// The events of a bar that are not confirmed, and the last confirmed ones.
struct EventQueue: Sendable {
    private static let batchLimit = 500
    private static let keptLimit = 512

    struct Pending: Sendable {
        let event: BarEvent
        /// The commands that the event had on the shown bar.
        var commands: [BarCommand] = []
        /// Whether the event may have arrived without a response.
        var isDoubtful = false
    }

    var pending: [Pending] = []
    private(set) var sequence = 0
    private var kept: [NumberedEvent] = []
    private var limit = EventQueue.batchLimit
    private var sent = 0
    /// The number from which the service needs events again; nil if it has all.
    private var missing: Int?

    var isEmpty: Bool { pending.isEmpty && missing == nil }
    /// Whether the service has lost confirmed events.
    var hasMissing: Bool { missing != nil }

    mutating func next() -> [NumberedEvent] {
        var events: [NumberedEvent] = []
        if let missing { events = Array(kept.drop { $0.sequence < missing }.prefix(limit)) }
        for entry in pending.prefix(limit - events.count) {
            events.append(NumberedEvent(sequence: (events.last?.sequence ?? sequence) + 1, event: entry.event))
        }
        sent = events.count
        return events
    }

    /// Records that the service has all events up to `sequence`; returns the entries that are now confirmed.
    mutating func confirm(upTo sequence: Int) -> [Pending] {
        missing = sequence < self.sequence ? sequence + 1 : nil
        limit = min(EventQueue.batchLimit, 2 * limit)
        let confirmed = Array(pending.prefix(max(0, sequence - self.sequence)))
        pending.removeFirst(confirmed.count)
        for entry in confirmed { append(NumberedEvent(sequence: self.sequence + 1, event: entry.event)) }
        return confirmed
    }

    mutating func append(_ event: NumberedEvent) {
        sequence = event.sequence
        kept.append(event)
        if kept.count > 2 * EventQueue.keptLimit { kept.removeFirst(EventQueue.keptLimit) }
    }

    /// Removes the logged event and all sent before it; returns nil for another writer's event.
    mutating func takeOwn(_ event: BarEvent) -> [Pending]? {
        let index = pending.firstIndex { $0.event.timestamp == event.timestamp && $0.event.type == event.type }
        guard let index, event.timestamp != nil else { return nil }
        let own = Array(pending[...index])
        pending.removeFirst(own.count)
        return own
    }

    /// Goes back to a number that the service needs again; returns false if that event is no longer kept.
    mutating func goBack(to number: Int) -> Bool {
        guard number <= sequence, kept.contains(where: { $0.sequence == number }) else { return false }
        missing = number
        return true
    }

    /// Continues at a number of another session.
    mutating func restart(at number: Int = 0) {
        sequence = number
        kept = []
        missing = nil
        limit = EventQueue.batchLimit
    }

    /// Records that the last batch may have arrived without a response.
    mutating func doubtLastBatch() {
        for index in pending.indices.prefix(sent) { pending[index].isDoubtful = true }
    }

    /// Records that no event arrived without a response.
    mutating func clearDoubts() {
        for index in pending.indices { pending[index].isDoubtful = false }
    }

    /// Removes and returns the event at an index of the last batch; nil if that one was confirmed before.
    mutating func drop(at index: Int) -> Pending? {
        let repeated = missing.map { sequence - $0 + 1 } ?? 0
        guard index >= repeated, pending.indices.contains(index - repeated) else { return nil }
        return pending.remove(at: index - repeated)
    }

    /// Removes and returns the events that may have arrived, if the service cannot tell any more.
    mutating func dropDoubtful() -> [Pending] {
        let doubtful = pending.filter(\.isDoubtful)
        pending.removeAll(where: \.isDoubtful)
        return doubtful
    }

    /// Makes batches smaller, until they are confirmed; returns false if they cannot be.
    mutating func shrink() -> Bool {
        guard sent > 1 else { return false }
        limit = (sent + 1) / 2
        return true
    }
}
