import BarLayout

/// A bar of a `MockService`: its session, and the log of all changes.
struct MockBar {
    private let id: String
    private let original: BarSession
    private var session: BarSession
    private var log: [Entry] = []
    private var revision = 0
    private var lastSequence = 0

    /// A change, and the bar after it.
    private struct Entry {
        let sequence: Int
        let revision: Int
        let change: Change
        let session: BarSession
        var commands: [BarCommand] = []
    }

    private enum Change {
        case event(BarEvent)
        case tracks([TrackChange])
    }

    init(id: String, _ session: BarSession) {
        self.id = id
        self.session = session
        original = session
    }

    /// Applies all events of a batch, or none if it throws; returns the answer.
    mutating func apply(_ events: [JSONDocument]) throws -> JSONDocument {
        var bar = self
        var commands: [BarCommand] = []
        var replayed: Entry?
        for (index, json) in events.enumerated() {
            let sequence = json["sequence"]?.integer ?? bar.lastSequence + 1
            let event = try BarEvent(json)
            if sequence <= lastSequence {
                guard let entry = entry(sequence), case .event(event) = entry.change else {
                    throw Refusal(409, "sequence-reused", event: index)
                }
                replayed = entry
                commands += entry.commands
                continue
            }
            guard sequence == bar.lastSequence + 1 else {
                throw Refusal(409, "sequence-gap", expected: bar.lastSequence + 1, event: index)
            }
            let outcome: BarOutcome
            do {
                outcome = try bar.session.apply(event, rules: .fluid)
            } catch {
                throw Refusal(409, "scrollable-mismatch", event: index)
            }
            bar.lastSequence = sequence
            bar.append(.event(event), outcome.commands)
            commands += outcome.commands
        }
        if let replayed, bar.revision == revision { return answer(replayed, commands) }
        self = bar
        return answer(commands)
    }

    /// Sets or removes tracks, if the condition names the present revision.
    mutating func set(_ tracks: JSONDocument, condition: String?) throws -> JSONDocument {
        guard let condition else { throw Refusal(428, "precondition-required") }
        guard condition == "\"\(revision)\"" else { throw Refusal(412, "precondition-failed") }
        let changes = try tracks.members.map { try TrackChange($0) }
        try session.tracks.apply(changes)
        append(.tracks(changes), [])
        return answer()
    }

    /// Returns the events after a number, with the changes of tracks between them.
    func page(after number: Int?, limit: Int?) -> JSONDocument {
        let (after, limit) = (number ?? 0, limit ?? BarRequest.pageLimit)
        var events: [JSONDocument] = []
        var count = 0
        for entry in log where entry.sequence >= after {
            switch entry.change {
            case .event where entry.sequence == after: continue
            case .event(let event):
                count += 1
                guard count <= limit else { return .object(["events": .array(events), "hasMore": .bool(true)]) }
                events.append(event.json(sequence: entry.sequence))
            case .tracks(let changes):
                let number = JSONDocument.number(Double(entry.revision))
                events.append(.object(["type": .string("tracks"), "revision": number, "tracks": changes.json]))
            }
        }
        return .object(["events": .array(events), "hasMore": .bool(false)])
    }

    /// Returns the bar right after an event, or at its beginning.
    func state(at sequence: Int) throws -> JSONDocument {
        let first = Entry(sequence: 0, revision: 0, change: .tracks([]), session: original)
        guard let entry = sequence == 0 ? first : entry(sequence) else { throw Refusal(410, "sequence-trimmed") }
        return answer(entry, [], hasSnapshot: true)
    }

    /// Returns the present bar.
    func answer(_ commands: [BarCommand] = [], hasSnapshot: Bool = false) -> JSONDocument {
        let present = Entry(sequence: lastSequence, revision: revision, change: .tracks([]), session: session)
        return answer(present, commands, hasSnapshot: hasSnapshot)
    }

    private func answer(_ entry: Entry, _ commands: [BarCommand], hasSnapshot: Bool = false) -> JSONDocument {
        let bar = entry.session
        let values = bar.tracks.all.map {
            JSONDocument.Member(name: $0.name, value: .number($0.value(at: bar.state)))
        }
        return .object([
            "id": .string(id),
            "revision": .number(Double(entry.revision)),
            "lastSequence": .number(Double(entry.sequence)),
            "state": .object([
                "offset": .number(bar.state.offset),
                "isExpandedStateAvailable": .bool(bar.state.isExpandedStateAvailable),
                "height": .number(bar.state.height),
                "transitionProgress": .number(bar.state.transitionProgress),
            ]),
            "scrollable": bar.scrollable.json,
            "values": .object(values),
            "commands": .array(commands.map(\.json)),
            "snapshot": hasSnapshot ? bar.snapshot.json : nil,
        ])
    }

    private func entry(_ sequence: Int) -> Entry? {
        log.first { entry in
            if case .event = entry.change { entry.sequence == sequence } else { false }
        }
    }

    private mutating func append(_ change: Change, _ commands: [BarCommand]) {
        revision += 1
        log.append(
            Entry(sequence: lastSequence, revision: revision, change: change, session: session, commands: commands)
        )
    }
}

extension BarCommand {
    fileprivate var json: JSONDocument {
        .object([
            "scrollableId": .string(scrollableID),
            "x": .number(target.x),
            "y": .number(target.y),
            "animated": .bool(animated),
            "spring": spring.map {
                .object([
                    "dampingRatio": .number($0.dampingRatio),
                    "response": .number($0.response),
                    "relativeVelocity": .number($0.relativeVelocity),
                ])
            },
        ])
    }
}
