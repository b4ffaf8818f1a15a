import Primitives

/// The insertion of fetched pages, for one replica or several.
///
/// A replica fetches a page and drafts the pages that it adds; a shared store accepts the draft or refuses it. Every
/// replica then installs the accepted pages unchanged, so a snapshot id means the same photos everywhere. The order of
/// installation does not matter: ids of snapshots grow with time, and the one with the greatest id is current.
///
/// Two pages that two replicas fetch at the same time may share a photo: neither replica has the other page yet.
extension FeedLibrary {
    /// The missing part of a request for a page.
    enum Need: Sendable, Equatable {
        /// The page is there, or a fresh snapshot has come instead.
        case nothing
        /// The page of a known snapshot.
        case page
        /// A newer snapshot than this one; nil if the feed has none.
        case snapshot(after: UInt64?)
    }

    /// Returns the part that is still missing for a page that `read` has named.
    func need(of key: PageKey, now: Instant) -> Need {
        let snapshots = feeds[key.feed]?.all ?? []
        if let own = snapshots.first(where: { $0.id == key.snapshot }) {
            return own.pages[key.page] == nil ? .page : .nothing
        }
        let current = snapshots.first
        return current?.state(at: now) == .fresh ? .nothing : .snapshot(after: current?.id)
    }

    /// The fresh snapshot that has begun since a page without a snapshot was named; nil for the others.
    func begunSnapshot(for key: PageKey, now: Instant) -> UInt64? {
        guard key.snapshot == FeedLibrary.newSnapshot, need(of: key, now: now) == .nothing else { return nil }
        return feeds[key.feed]?.all.first?.id
    }

    /// Returns the pages that a fetched page would add to the snapshot `id`: itself, and those that a new snapshot adopts.
    func draft(_ page: FeedPage, for key: PageKey, as id: UInt64, now: Instant) -> [KeptPage] {
        let snapshots = feeds[key.feed]?.all ?? []
        let known = snapshots.first { $0.id == id }
        var snapshot = known ?? FeedSnapshot(id: id, feed: key.feed)
        snapshot.insert(page, number: key.page, now: now)
        guard known == nil else { return [snapshot.pages[key.page]].compactMap(\.self) }
        if let current = snapshots.first, current.id < id {
            snapshot.adopt(current, youngerThan: Freshness.lists.staleWhileRevalidate, now: now)
        }
        return snapshot.pages.values.sorted { $0.number < $1.number }
    }

    /// Installs pages of a feed that the store has accepted.
    ///
    /// An expired page begins no snapshot. A known snapshot takes it, because an adopted page is older than the snapshot.
    mutating func install(_ pages: [KeptPage], of feed: Feed, now: Instant) {
        for page in pages {
            var snapshots = feeds[feed]?.all ?? []
            if let index = snapshots.firstIndex(where: { $0.id == page.snapshot }) {
                snapshots[index].insert(page)
            } else {
                guard Freshness.lists.state(age: now - page.fetched) != .expired else { continue }
                var new = FeedSnapshot(id: page.snapshot, feed: feed)
                new.insert(page)
                snapshots.insert(new, at: snapshots.firstIndex { $0.id < page.snapshot } ?? snapshots.endIndex)
            }
            let current = snapshots.first?.id
            snapshots.removeAll { $0.id != current && $0.state(at: now) == .expired }
            feeds[feed, default: Snapshots(lastRead: now)].all = Array(snapshots.prefix(FeedLibrary.mostSnapshots))
            trim(keeping: page, of: feed)
        }
    }

    /// Returns an id for a new snapshot, greater than that of the one before: the time, and random bits.
    ///
    /// No id repeats after a restart, and two replicas at the same time have different ones.
    static func snapshotID(milliseconds: Int, after previous: UInt64?, random: UInt64) -> UInt64 {
        let time = UInt64(clamping: milliseconds)
        let least = previous.map { ($0 >> randomBits) + 1 } ?? 0
        return min(max(time, least), UInt64.max >> randomBits) << randomBits | random >> (64 - randomBits)
    }

    private static var randomBits: Int { 22 }
}
