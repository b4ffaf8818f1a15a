package import Primitives

/// The insertion of fetched pages, for one replica or several.
///
/// A replica fetches a page and drafts the pages that it adds; a shared store accepts the draft or refuses it. Every
/// replica then installs the accepted pages unchanged, so a snapshot id means the same photos everywhere. The order of
/// installation does not matter: ids of snapshots grow with time, and the one with the greatest id is current.
///
/// Two pages of a snapshot that two replicas fetch at the same time may share a photo, because neither replica has the
/// other page yet.
extension FeedLibrary {
    /// The missing part of a request for a page.
    package enum Need: Sendable, Equatable {
        /// The page is there, or a fresh snapshot has come instead.
        case nothing
        /// The page of a known snapshot.
        case page
        /// A newer snapshot than this one; nil if the feed has none.
        case snapshot(after: UInt64?)
    }

    /// Returns the part that is still missing for a page that `read` has named.
    package func need(of key: PageKey, now: Instant) -> Need {
        guard let snapshots = feeds[key.feed] else { return .snapshot(after: nil) }
        if let own = snapshots.servable.first(where: { $0.id == key.snapshot }) {
            return own.pages[key.page] == nil ? .page : .nothing
        }
        if let fetched = snapshots.current?.fetched, freshness.state(age: now - fetched) == .fresh { return .nothing }
        return .snapshot(after: snapshots.current?.id)
    }

    /// Whether a request continues a snapshot that is not here.
    package func isUnknown(_ request: Request, now: Instant) -> Bool {
        guard case .cursor(let cursor) = request.start else { return false }
        return feeds[request.feed].map { snapshot(cursor.snapshot, in: $0, at: now) == nil } ?? true
    }

    /// The fresh snapshot that has begun since a page without a snapshot was named; nil for the others.
    package func begunSnapshot(for key: PageKey, now: Instant) -> UInt64? {
        guard key.snapshot == FeedLibrary.newSnapshot, need(of: key, now: now) == .nothing else { return nil }
        return feeds[key.feed]?.current?.id
    }

    /// Returns the pages that a fetched page adds to the snapshot `id`: itself, and those that a new snapshot adopts.
    ///
    /// Nothing is inserted.
    package func draft(_ page: UpstreamPage, for key: PageKey, as id: UInt64, now: Instant) -> [KeptPage] {
        let snapshots = feeds[key.feed]
        let known = snapshots?.servable.first { $0.id == id }
        var snapshot = known ?? FeedSnapshot(id: id, feed: key.feed)
        snapshot.insert(page, number: key.page, now: now)
        guard known == nil else { return [snapshot.kept(key.page)].compactMap(\.self) }
        if let current = snapshots?.current, current.id < id {
            snapshot.adopt(current, youngerThan: freshness.staleWhileRevalidate, now: now)
        }
        return snapshot.pages.keys.sorted().compactMap { snapshot.kept($0) }
    }

    /// Installs pages that the store has accepted.
    ///
    /// An expired page begins no snapshot. A known snapshot takes it, because an adopted page is older than the snapshot.
    package mutating func install(_ pages: [KeptPage], now: Instant) {
        for page in pages {
            var snapshots = feeds[page.key.feed] ?? Snapshots(lastRead: page.fetched)
            let isKnown = snapshots.servable.contains { $0.id == page.key.snapshot }
            guard isKnown || freshness.state(age: now - page.fetched) != .expired else { continue }
            snapshots.insert(page)
            snapshots.older.removeAll { older in
                older.fetched.map { freshness.state(age: now - $0) == .expired } ?? true
            }
            feeds[page.key.feed] = snapshots
            trim(keeping: page.key)
        }
    }

    /// Returns an id for a new snapshot, greater than that of the one before: the time, and random bits.
    ///
    /// - Parameters:
    ///   - milliseconds: the time of day, which replicas share; so no id repeats after a restart.
    ///   - previous: the newest snapshot of the feed.
    ///   - random: random bits, since two replicas may use the same time.
    /// - Returns: the id.
    package static func snapshotID(milliseconds: Int, after previous: UInt64?, random: UInt64) -> UInt64 {
        let time = UInt64(clamping: milliseconds)
        let least = previous.map { ($0 >> randomBits) + 1 } ?? 0
        return min(max(time, least), UInt64.max >> randomBits) << randomBits | random >> (64 - randomBits)
    }

    private static var randomBits: Int { 22 }
}

extension FeedLibrary.Snapshots {
    /// Inserts a page into its snapshot, which may be new.
    fileprivate mutating func insert(_ page: KeptPage) {
        let id = page.key.snapshot
        if current?.id == id {
            current?.insert(page)
        } else if let index = older.firstIndex(where: { $0.id == id }) {
            older[index].insert(page)
        } else {
            var new = FeedSnapshot(id: id, feed: page.key.feed)
            new.insert(page)
            if let current, current.id > id {
                older.insert(new, at: older.firstIndex { $0.id < id } ?? older.endIndex)
            } else {
                if let current { older.insert(current, at: 0) }
                current = new
            }
        }
        older = Array(older.prefix(FeedLibrary.olderSnapshots))
    }
}
