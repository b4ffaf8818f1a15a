import BarLayout
import ClientJSON

/// A bar of a `MockService`, and the log of all changes.
struct MockBar {
    private let id: String
    private var present: Entry
    /// The bar at its beginning and after each change.
    private var log: [Entry]

    /// A bar, and the event or the change of tracks that led to it.
    private struct Entry {
        var session: BarSession
        var sequence = 0
        var revision = 0
        var event: BarEvent?
        var tracks: [TrackChange] = []
        var commands: [BarCommand] = []
    }

    init(id: String, _ session: BarSession) {
        self.id = id
        present = Entry(session: session)
        log = [present]
    }

    /// Applies all events of a batch, or none if it throws; returns the answer.
    mutating func apply(_ events: [NumberedEvent]) throws -> JSONDocument {
        var bar = self
        var commands: [BarCommand] = []
        var replayed: Entry?
        for (index, numbered) in events.enumerated() {
            let (sequence, event) = (numbered.sequence, numbered.event)
            let expected = bar.present.sequence + 1
            if sequence <= present.sequence {
                guard let entry = entry(sequence), entry.event == event else {
                    throw Refusal(409, "sequence-reused", event: index)
                }
                replayed = entry
                commands += entry.commands
                continue
            }
            guard sequence == expected else { throw Refusal(409, "sequence-gap", expected: expected, event: index) }
            guard let outcome = try? bar.present.session.apply(event) else {
                throw Refusal(409, "scrollable-mismatch", event: index)
            }
            bar.present.sequence = sequence
            bar.append(event, commands: outcome.commands)
            commands += outcome.commands
        }
        if let replayed, bar.present.revision == present.revision { return answer(replayed, commands) }
        self = bar
        return answer(present, commands)
    }

    /// Sets or removes tracks, if the revision is the present one.
    mutating func set(_ changes: [TrackChange], at revision: Int) throws -> JSONDocument {
        guard revision == present.revision else { throw Refusal(412, "precondition-failed") }
        try present.session.tracks.apply(changes)
        append(nil, tracks: changes)
        return answer(present, [])
    }

    /// Returns all events after a number, with the changes of tracks between them.
    func page(after number: Int) -> JSONDocument {
        let entries = log.dropFirst().filter { $0.sequence > number || $0.sequence == number && $0.event == nil }
        let events = entries.map { entry in
            entry.event?.json(sequence: entry.sequence)
                ?? .object(["type": "tracks", "revision": entry.revision, "tracks": entry.tracks.json])
        }
        return .object(["events": events, "hasMore": false])
    }

    /// Returns the bar right after an event, or at its beginning.
    func state(at sequence: Int) throws -> JSONDocument {
        guard let entry = entry(sequence) else { throw Refusal(410, "sequence-trimmed") }
        return answer(entry, [], hasSnapshot: true)
    }

    func answer(_ commands: [BarCommand] = [], hasSnapshot: Bool = false) -> JSONDocument {
        answer(present, commands, hasSnapshot: hasSnapshot)
    }

    private func answer(_ entry: Entry, _ commands: [BarCommand], hasSnapshot: Bool = false) -> JSONDocument {
        let bar = entry.session
        let state = JSONDocument.object([
            "offset": bar.state.offset, "isExpandedStateAvailable": bar.state.isExpandedStateAvailable,
            "height": bar.state.height, "transitionProgress": bar.state.transitionProgress,
        ])
        let values = bar.tracks.all.map { JSONDocument.Member(name: $0.name, value: $0.value(at: bar.state).json) }
        return .object([
            "id": id, "revision": entry.revision, "lastSequence": entry.sequence, "state": state,
            "scrollable": bar.scrollable, "values": JSONDocument.object(values), "commands": commands,
            "snapshot": hasSnapshot ? bar.snapshot : nil,
        ])
    }

    /// Returns the bar right after an event; at its beginning for 0.
    private func entry(_ sequence: Int) -> Entry? {
        log.first { $0.sequence == sequence && ($0.event != nil || sequence == 0) }
    }

    private mutating func append(_ event: BarEvent?, tracks: [TrackChange] = [], commands: [BarCommand] = []) {
        present.revision += 1
        (present.event, present.tracks, present.commands) = (event, tracks, commands)
        log.append(present)
    }
}

extension BarCommand: JSONConvertible {
    var json: JSONDocument {
        let spring = spring.map { spring in
            JSONDocument.object([
                "dampingRatio": spring.dampingRatio, "response": spring.response,
                "relativeVelocity": spring.relativeVelocity,
            ])
        }
        return .object([
            "scrollableId": scrollableID, "x": target.x, "y": target.y, "animated": animated, "spring": spring,
        ])
    }
}
