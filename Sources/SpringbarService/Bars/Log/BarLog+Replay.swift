import BarLayout

extension BarLog {
    /// An event of the log and all that followed from it.
    struct Step: Sendable {
        let event: BarEvent
        let sequence: Int
        /// The bar's revision right after the event.
        let revision: Int
        /// The bar right after the event.
        let session: BarSession
        let outcome: BarOutcome
    }

    /// Replays events; nil when the first one is not kept any more, or the last one not yet there.
    func replay(
        _ sequences: ClosedRange<Int>,
        rules: BarRules,
        explaining: Bool = false
    ) -> [Step]? {
        guard let first = firstSequence, let last = lastSequence, first <= sequences.lowerBound,
            sequences.upperBound <= last,
            let start = segments.lastIndex(where: { $0.start.lastSequence < sequences.lowerBound })
        else { return nil }
        var steps: [Step] = []
        steps.reserveCapacity(sequences.count)
        var session = segments[start].start.session
        for place in Places(segments[start...]) {
            switch place.entry {
            case .tracks(let changes):
                // What did not fit was refused and is not in the log.
                try? session.tracks.apply(changes)
            case .event(let event):
                let isWanted = sequences.contains(place.sequence)
                // An event for another view was refused and is not in the log.
                guard let outcome = try? session.apply(event, rules: rules, explaining: explaining && isWanted) else {
                    preconditionFailure("the log has an event that its bar refuses")
                }
                guard isWanted else { continue }
                steps.append(
                    Step(
                        event: event,
                        sequence: place.sequence,
                        revision: place.revision,
                        session: session,
                        outcome: outcome
                    )
                )
                if place.sequence == sequences.upperBound { return steps }
            }
        }
        return steps
    }

    /// The bar as it was created; nil when its beginning is not kept any more.
    var origin: BarRecord? {
        guard let first = segments.first, first.start.revision == 0, firstSequence ?? 1 == 1 else { return nil }
        return first.start
    }

    /// The kept entries after an event, up to `limit` events, and whether there are more.
    ///
    /// Changes of the tracks stand before the event that follows them. Who asks on from the last event there is gets
    /// those after it again, since nobody can tell whether he had them; their revision says so.
    func page(after sequence: Int, limit: Int) -> (places: [Place], hasMore: Bool) {
        guard let first = segments.first else { return ([], false) }
        let begin = max(sequence, (firstSequence ?? first.start.lastSequence + 1) - 1)
        let start = segments.lastIndex { $0.start.lastSequence < begin } ?? 0
        var places: [Place] = []
        var trailing: [Place] = []
        var events = 0
        for place in Places(segments[start...]) where place.sequence >= begin {
            switch place.entry {
            case .tracks: trailing.append(place)
            case .event:
                if place.sequence == begin { continue }
                if events == limit { return (places, true) }
                events += 1
                places += trailing
                trailing = []
                places.append(place)
            }
        }
        return (places + trailing, false)
    }

    /// An entry, and where it stands.
    package struct Place: Sendable, Equatable {
        let entry: BarLogEntry
        /// The number of the event, or of the last one before a change of the tracks.
        let sequence: Int
        /// The bar's revision right after the entry.
        let revision: Int
    }

    /// The entries of some segments, read one by one.
    private struct Places: Sequence, IteratorProtocol {
        private var rest: ArraySlice<Segment>
        private var reader = ByteReader([])
        private var sequence = 0
        private var revision = 0

        init(_ segments: ArraySlice<Segment>) {
            rest = segments
        }

        mutating func next() -> Place? {
            while reader.isAtEnd {
                guard let segment = rest.popFirst() else { return nil }
                reader = ByteReader(segment.bytes)
                sequence = segment.start.lastSequence
                revision = segment.start.revision
            }
            let entry = BarLogEntry(from: &reader)
            if case .event = entry { sequence += 1 }
            revision += 1
            return Place(entry: entry, sequence: sequence, revision: revision)
        }
    }
}
