import BarLayout
import ClientJSON

// Two copies of a bar: the confirmed one and the shown one.
//
//     shown = confirmed + pending events + pending changes of tracks
//
// If the confirmed bar differs from the prediction, the pending events are applied to it again.

struct Prediction: Sendable {
    /// A smaller difference, in points, needs no command.
    static let noticeable = 0.5

    var queue = EventQueue()
    /// Unconfirmed changes of tracks, at most one for each name.
    var trackChanges: [TrackChange] = []
    /// The changes of one request; removals are first, so that the bar has room for the tracks after them.
    var nextTrackChanges: [TrackChange] {
        let sets = trackChanges.filter { if case .set = $0 { true } else { false } }
        let removals = trackChanges.filter { if case .remove = $0 { true } else { false } }
        return Array((removals + sets).prefix(TrackChange.limit))
    }
    /// The number of confirmed events and changes of tracks, of all writers.
    var revision = 0
    private(set) var confirmed: BarSession
    private(set) var shown: BarSession
    private(set) var created: BarOutcome
    /// The service's values of the tracks of a continued session, which this client does not know.
    private var foreignValues: [BarResult.Value] = []
    /// The changes of tracks in the log since the shown bar was made.
    private var logged: [TrackChange] = []

    init(_ definition: BarDefinition) {
        (confirmed, created) = definition.attached()
        shown = confirmed
    }

    mutating func begin(_ definition: BarDefinition) {
        (confirmed, created) = definition.attached()
    }

    /// Returns the shown bar, with an outcome for the app to apply; `commands` replace those of the outcome.
    func result(_ outcome: BarOutcome = BarOutcome(), commands: [BarCommand]? = nil) -> BarResult {
        BarResult(shown, outcome, commands: commands ?? outcome.commands, foreign: foreignValues)
    }

    /// Applies an event to the shown bar; queues it if it is to be sent.
    mutating func predict(_ event: BarEvent, isQueued: Bool) throws(BarLayoutError) -> BarResult {
        let outcome = try shown.apply(event)
        if isQueued { queue.pending.append(EventQueue.Pending(event: event, commands: outcome.commands)) }
        return result(outcome)
    }

    /// Applies an event to the confirmed bar; returns nil if data is missing here, which a report supplies.
    mutating func confirm(_ event: BarEvent) -> BarOutcome? {
        try? confirmed.apply(event)
    }

    /// Adopts the service's confirmed bar, as far as the answer tells it.
    mutating func adopt(_ bar: BarAnswer) {
        let snapshot = bar.snapshot.flatMap { try? BarSession.Snapshot($0, configuration: confirmed.configuration) }
        if let snapshot { confirmed.restore(snapshot) } else { confirmed.adopt(bar.report) }
    }

    /// Keeps the service's values of tracks that this client does not know; returns whether they have changed.
    mutating func adoptValues(_ values: [BarResult.Value]) -> Bool {
        guard trackChanges.isEmpty else { return false }
        let foreign = values.filter { shown.tracks[$0.name] == nil }
        defer { foreignValues = foreign }
        return foreign != foreignValues
    }

    mutating func setTracks(_ changes: [TrackChange], isQueued: Bool) throws(BarLayoutError) {
        for case .remove(let name) in changes { _ = try Track.checkedName(name) }
        var last: [TrackChange] = []
        last.merge(changes)
        try shown.tracks.apply(last)
        foreignValues.removeAll { value in changes.contains { $0.name.hasBytes(of: value.name) } }
        if isQueued { trackChanges.merge(changes) }
    }

    /// Confirms changes of any writer; later ones of this client stay pending.
    mutating func confirm(_ changes: [TrackChange], revision: Int) {
        self.revision = max(self.revision, revision)
        // The service has applied them, so they fit.
        try? confirmed.tracks.apply(changes)
        trackChanges.removeAll(where: changes.contains)
    }

    /// Applies a change of tracks of the service's log.
    mutating func confirmLogged(_ changes: [TrackChange], revision: Int) {
        confirm(changes, revision: revision)
        logged += changes
    }

    /// Applies everything pending to a copy of the confirmed bar, which becomes the shown one.
    ///
    /// - Returns: the commands that changed, and the events that are no longer possible.
    mutating func renew() -> (commands: [BarCommand], refused: [(problem: Problem, event: BarEvent)]) {
        var commands: [BarCommand] = []
        var refused: [(problem: Problem, event: BarEvent)] = []
        shown = confirmed
        try? shown.tracks.apply(trackChanges)
        foreignValues.removeAll { value in
            shown.tracks[value.name] != nil || logged.contains { $0.name.hasBytes(of: value.name) }
        }
        logged = []
        var left: [EventQueue.Pending] = []
        for var entry in queue.pending {
            do {
                let outcome = try shown.apply(entry.event)
                if outcome.commands.differ(from: entry.commands) { commands += outcome.commands }
                entry.commands = outcome.commands
                left.append(entry)
            } catch {
                // The event was about a view that another writer has detached.
                refused.append((Problem(error), entry.event))
            }
        }
        queue.pending = left
        return (commands, refused)
    }

    /// Prepares a new session in which a bar goes on; returns its definition.
    mutating func startAnew(with bar: BarSession, ttlSeconds: Int?) -> BarDefinition {
        let definition = BarDefinition(continuing: bar, ttlSeconds: ttlSeconds)
        begin(definition)
        queue.restart()
        queue.clearDoubts()
        revision = 0
        return definition
    }
}

extension [TrackChange] {
    /// Adds changes in order; the last one of each name replaces those before it.
    fileprivate mutating func merge(_ changes: [TrackChange]) {
        for change in changes {
            removeAll { $0.name.hasBytes(of: change.name) }
            append(change)
        }
    }
}

extension [BarCommand] {
    /// Whether the lists move content to different offsets.
    func differ(from others: [BarCommand]) -> Bool {
        count != others.count
            || zip(self, others).contains { command, other in
                !command.scrollableID.hasBytes(of: other.scrollableID) || command.animated != other.animated
                    || abs(command.target.y - other.target.y) > Prediction.noticeable
            }
    }
}

extension Problem {
    init(_ error: BarLayoutError) {
        switch error {
        case .scrollableMismatch(let attached, _):
            let fault = Fault(pointer: "/scrollableId", detail: "`\(attached)` is attached")
            self.init(status: 409, code: "scrollable-mismatch", detail: fault.detail, faults: [fault])
        case .tooManyTracks(let limit):
            self.init(status: 422, code: "invalid-content", detail: "A bar must have at most \(limit) tracks.")
        default:
            self.init(status: 422, code: "invalid-content", detail: "\(error)")
        }
    }
}
