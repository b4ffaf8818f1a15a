import BarLayout
import Primitives

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

    /// Replays the events from the number `first` to the number `last`; returns nil if the log does not have all of them.
    func replay(
        from first: Int,
        to last: Int,
        rules: BarRules,
        explaining: Bool = false
    ) throws(StoredBytesError) -> [ReplayedEvent]? {
        guard let origin, let least = firstSequence, least <= first, first <= last, last <= lastSequence else {
            return nil
        }
        var events: [ReplayedEvent] = []
        var session = origin.session
        var entries = BarLogReader(self, after: origin)
        while let entry = try entries.next() {
            do throws(BarLayoutError) {
                switch entry.content {
                case .tracks(let changes): try session.tracks.apply(changes)
                case .event(let event):
                    let isWanted = first <= entry.sequence
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
                    if entry.sequence == last { return events }
                }
            } catch {
                // A change or an event that was refused is not in the log.
                throw .invalid(error)
            }
        }
        throw .inconsistentLog
    }

    /// The bar at its creation; nil if the log begins later.
    var creation: BarRecord? {
        guard let origin, origin.revision == 0, firstSequence ?? 1 == 1 else { return nil }
        return origin
    }

    /// Returns the entries after an event, with up to `limit` events, and whether more follow.
    ///
    /// Changes of the tracks precede the event that follows them. The changes after the last event are returned again to
    /// every request after that event, because they have no number. Their revision tells a client whether it has them.
    func page(
        after sequence: Int,
        limit: Int
    ) throws(StoredBytesError) -> (entries: [NumberedEntry], hasMore: Bool) {
        guard let origin else { return ([], false) }
        let begin = max(sequence, firstSequence.map { $0 - 1 } ?? origin.lastSequence)
        var page: [NumberedEntry] = []
        var trailing: [NumberedEntry] = []
        var events = 0
        var reader = BarLogReader(self, after: origin)
        while let entry = try reader.next() {
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
}
