import BarLayout

extension BarSessions {
    /// Changes tracks, if the present revision passes `precondition`.
    func change(
        _ changes: [TrackChange],
        of id: BarID,
        precondition: (_ revision: Int) throws -> Void
    ) throws -> BarAnswer {
        try write(id) { record, _, answer in
            try precondition(record.revision)
            do throws(BarLayoutError) {
                try answer.session.tracks.apply(changes)
            } catch {
                throw BarSessionError.invalid(pointer: "", error)
            }
            answer.revision += 1
            return BarLog.Addition(sequence: record.lastSequence, entries: [.tracks(changes)])
        }
    }

    /// The bar as it was right after an event; 0 is as it was created.
    func state(of id: BarID, at sequence: Int) throws(BarSessionError) -> BarAnswer {
        guard let (record, log) = store.loadWithLog(id, now: now()) else { throw .notFound }
        guard sequence <= record.lastSequence else { throw .sequenceAhead(last: record.lastSequence) }
        let (session, revision): (BarSession, Int)
        if sequence > 0 {
            guard let step = log.replay(sequence...sequence, rules: rules)?.last else {
                throw .sequenceTrimmed(first: log.firstSequence)
            }
            (session, revision) = (step.session, step.revision)
        } else if record.revision == 0 {
            (session, revision) = (record.session, 0)
        } else {
            guard let origin = log.origin else { throw .sequenceTrimmed(first: log.firstSequence) }
            (session, revision) = (origin.session, 0)
        }
        return BarAnswer(id: id, revision: revision, lastSequence: sequence, session: session)
    }

    /// The kept entries after an event; see `BarLog.page`.
    func log(
        of id: BarID,
        after sequence: Int,
        limit: Int
    ) throws(BarSessionError) -> (places: [BarLog.Place], hasMore: Bool) {
        guard let log = store.loadWithLog(id, now: now())?.log else { throw .notFound }
        return log.page(after: sequence, limit: limit)
    }
}
