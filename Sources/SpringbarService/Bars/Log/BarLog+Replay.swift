import BarLayout

extension BarLog {
    /// An event of the log with its result.
    struct ReplayedEvent: Sendable {
        let event: BarEvent
        let sequence: Int
        /// The revision of the bar after the event.
        let revision: Int
        /// The bar after the event.
        let session: BarSession
        let outcome: BarOutcome
    }

    /// Replays events; returns nil if the first one is no longer in the log or the last one not yet.
    func replay(
        _ sequences: ClosedRange<Int>,
        rules: BarRules,
        explaining: Bool = false
    ) throws(StoredBytesError) -> [ReplayedEvent]? {
        guard let first = firstSequence, let last = lastSequence, first <= sequences.lowerBound,
            sequences.upperBound <= last,
            let start = segments.lastIndex(where: { $0.start.lastSequence < sequences.lowerBound })
        else { return nil }
        var events: [ReplayedEvent] = []
        var session = segments[start].start.session
        var entries = EntryReader(segments[start...])
        while let entry = try entries.next() {
            do throws(BarLayoutError) {
                switch entry.content {
                case .tracks(let changes): try session.tracks.apply(changes)
                case .event(let event):
                    let isWanted = sequences.contains(entry.sequence)
                    let outcome = try session.apply(event, rules: rules, explaining: explaining && isWanted)
                    guard isWanted else { continue }
                    events.append(
                        ReplayedEvent(
                            event: event,
                            sequence: entry.sequence,
                            revision: entry.revision,
                            session: session,
                            outcome: outcome
                        )
                    )
                }
            } catch {
                // A change or an event that was refused is not in the log.
                throw .invalid(error)
            }
            if entry.sequence == sequences.upperBound, case .event = entry.content { return events }
        }
        return events
    }

    /// The bar at its creation; nil if the log no longer has its first segment.
    var origin: BarRecord? {
        guard let first = segments.first, first.start.revision == 0, firstSequence ?? 1 == 1 else { return nil }
        return first.start
    }

    /// Returns the entries after an event, with up to `limit` events, and whether more follow.
    ///
    /// Changes of the tracks precede the event that follows them. The changes after the last event are returned again to
    /// every request after that event, because they have no number. Their revision tells a client whether it has them.
    func page(
        after sequence: Int,
        limit: Int
    ) throws(StoredBytesError) -> (entries: [NumberedEntry], hasMore: Bool) {
        guard let first = segments.first else { return ([], false) }
        let begin = max(sequence, (firstSequence ?? first.start.lastSequence + 1) - 1)
        let start = segments.lastIndex { $0.start.lastSequence < begin } ?? 0
        var page: [NumberedEntry] = []
        var trailing: [NumberedEntry] = []
        var events = 0
        var entries = EntryReader(segments[start...])
        while let entry = try entries.next() {
            guard entry.sequence >= begin else { continue }
            switch entry.content {
            case .tracks: trailing.append(entry)
            case .event:
                if entry.sequence == begin { continue }
                if events == limit { return (page, true) }
                events += 1
                page += trailing
                trailing = []
                page.append(entry)
            }
        }
        return (page + trailing, false)
    }

    /// An entry with its numbers.
    package struct NumberedEntry: Sendable, Equatable {
        let content: BarLogEntry
        /// The number of the event, or of the last one before a change of the tracks.
        let sequence: Int
        /// The revision of the bar after the entry.
        let revision: Int
    }

    /// Decodes the entries of some segments, one by one.
    private struct EntryReader {
        private var rest: ArraySlice<Segment>
        private var reader = ByteReader([])
        private var sequence = 0
        private var revision = 0

        init(_ segments: ArraySlice<Segment>) {
            rest = segments
        }

        mutating func next() throws(StoredBytesError) -> NumberedEntry? {
            while reader.isAtEnd {
                guard let segment = rest.popFirst() else { return nil }
                reader = ByteReader(segment.bytes)
                sequence = segment.start.lastSequence
                revision = segment.start.revision
            }
            let content = try BarLogEntry(from: &reader)
            if case .event = content { sequence += 1 }
            revision += 1
            return NumberedEntry(content: content, sequence: sequence, revision: revision)
        }
    }
}
