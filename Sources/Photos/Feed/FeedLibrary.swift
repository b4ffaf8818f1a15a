import Primitives

/// The snapshots of all feeds: selects the snapshot for a request, or the page that must be fetched first.
///
/// A feed has a *current* snapshot, with which clients start, and older ones for the clients that started with them.
struct FeedLibrary: Sendable {
    /// A page to fetch, thrown where a slice lacks it.
    struct PageKey: Error, Hashable {
        let feed: Feed
        /// `newSnapshot` for a page that begins a snapshot.
        var snapshot: UInt64
        let page: Int
        /// The least time of its fetch; nil for a page that is fresh.
        var notBefore: Instant?
    }

    enum Start: Sendable {
        case first
        /// After the photos that a client has seen, on pages that were fetched at this time or before it.
        case cursor(PageCursor, fetched: Instant)
        /// At the photo with this number in the current snapshot, from 0.
        case photo(Int)
    }

    struct Request: Sendable {
        var feed: Feed
        var start: Start
        var limit: Int
        var filter = PhotoFilter()
    }

    enum Answer: Sendable {
        /// The answer; with `refresh`, a page that is to be fetched in the background.
        case slice(FeedSlice, refresh: PageKey?)
        case fetch(PageKey)
    }

    struct Snapshots {
        /// Newest first; the first one is current.
        var all: [FeedSnapshot] = []
        var lastRead: Instant

        var cost: Int { all.reduce(0) { $0 + $1.cost } }
    }

    /// The snapshot and the position of the answer to a request.
    private struct SnapshotPosition {
        let snapshot: FeedSnapshot
        let start: FeedSnapshot.Position
        /// The marks of photos that the client has seen in a removed snapshot.
        var seen: Set<UInt32> = []
        var refresh: PageKey?

        func slice(_ request: Request, short: Bool) throws(PageKey) -> FeedSlice {
            try snapshot.slice(from: start, limit: request.limit, filter: request.filter, skipping: seen, short: short)
        }
    }

    var feeds: [Feed: Snapshots] = [:]
    private let capacity: Int
    /// The id in the key of a page for which the feed has no snapshot yet.
    static let newSnapshot: UInt64 = 0
    /// The most snapshots of a feed: the current one, and those in which clients still scroll.
    static let mostSnapshots = 5
    /// The most feeds; each costs little more than its photos.
    private static let mostFeeds = 64

    /// Creates an empty library for photos of at most `capacity` bytes.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The bytes of all photos; a photo in two snapshots counts twice.
    var cost: Int { feeds.values.reduce(0) { $0 + $1.cost } }

    /// Returns the answer to a request, or the missing page; a `short` answer has only the photos that are present.
    mutating func read(_ request: Request, short: Bool = false, now: Instant) -> Answer {
        do throws(PageKey) {
            let position = try resolve(request, now: now)
            return .slice(try position.slice(request, short: short), refresh: position.refresh)
        } catch {
            return .fetch(beginning(error, request, now: now))
        }
    }

    /// Returns the key of a missing page, which begins a snapshot if pages after it are there already.
    ///
    /// They lack the photos that new ones have moved off it since. A client goes on in its own snapshot.
    private func beginning(_ key: PageKey, _ request: Request, now: Instant) -> PageKey {
        if case .cursor(let cursor, _) = request.start, cursor.snapshot == key.snapshot { return key }
        let snapshot = feeds[key.feed]?.all.first { $0.id == key.snapshot }
        var key = key
        if snapshot?.hasOldPages(after: key.page, at: now) == true { key.snapshot = FeedLibrary.newSnapshot }
        return key
    }

    /// Returns the key of the slice that answers a request, and a page to fetch in the background.
    ///
    /// Nil if its first page is missing. Later pages may be missing as well.
    mutating func sliceKey(of request: Request, now: Instant) -> (key: SliceKey, refresh: PageKey?)? {
        guard let position = try? resolve(request, now: now), !position.snapshot.pages.isEmpty else { return nil }
        let snapshot = position.snapshot
        return (SliceKey(snapshot: snapshot.id, revision: snapshot.revision, start: position.start), position.refresh)
    }

    /// Chooses a snapshot: the client's own, else the current one if it is fresh or stale, else a new one.
    private mutating func resolve(_ request: Request, now: Instant) throws(PageKey) -> SnapshotPosition {
        feeds[request.feed]?.lastRead = now
        if let own = own(request, at: now) { return own }
        let new = FeedSnapshot(id: FeedLibrary.newSnapshot, feed: request.feed)
        let current = feeds[request.feed]?.all.first
        let state = current?.state(at: now)
        guard let current, state == .fresh || state == .stale else { return try position(of: request, in: new) }
        var answer = try position(of: request, in: current)
        if state == .stale { answer.refresh = new.key(ofPage: 1) }
        return answer
    }

    /// Returns the start of a request in a snapshot that its cursor does not name.
    private func position(of request: Request, in snapshot: FeedSnapshot) throws(PageKey) -> SnapshotPosition {
        switch request.start {
        case .first: return SnapshotPosition(snapshot: snapshot, start: .start)
        case .photo(let number): return SnapshotPosition(snapshot: snapshot, start: snapshot.position(ofPhoto: number))
        case .cursor(let cursor, let fetched):
            // The photos shown last are on the page of the position, or near it.
            var start = cursor.position
            if let position = snapshot.position(after: cursor.marks) {
                start = position
            } else if let page = snapshot.pages[start.page] {
                // Photos may have moved to this page since it was fetched.
                if page.fetched + LibraryCache.clockError < fetched {
                    let new = FeedSnapshot(id: FeedLibrary.newSnapshot, feed: snapshot.feed)
                    throw new.key(ofPage: start.page, notBefore: fetched)
                }
            } else if start.page <= snapshot.lastPage ?? .max {
                throw snapshot.key(ofPage: start.page, notBefore: fetched)
            }
            return SnapshotPosition(snapshot: snapshot, start: start, seen: Set(cursor.marks))
        }
    }

    /// Returns the slice after a failed fetch: of the client's own snapshot, else of the newest that has its position.
    func fallback(for request: Request, now: Instant) -> FeedSlice? {
        if let slice = try? own(request, at: now)?.slice(request, short: true), !slice.photos.isEmpty { return slice }
        for snapshot in feeds[request.feed]?.all ?? [] where snapshot.state(at: now) != .expired {
            if case .cursor(let cursor, _) = request.start, snapshot.position(after: cursor.marks) == nil { continue }
            if let slice = try? position(of: request, in: snapshot).slice(request, short: true), !slice.photos.isEmpty {
                return slice
            }
        }
        return nil
    }

    /// The position of a cursor in its own snapshot; nil without a cursor, and if the snapshot is gone or has expired.
    private func own(_ request: Request, at now: Instant) -> SnapshotPosition? {
        guard case .cursor(let cursor, _) = request.start,
            let own = feeds[request.feed]?.all.first(where: { $0.id == cursor.snapshot }),
            own.state(at: now) != .expired
        else { return nil }
        // Those that were shown before this snapshot began, and come later in it.
        let seen = Set(cursor.marks).subtracting(own.marks(before: cursor.position))
        return SnapshotPosition(snapshot: own, start: cursor.position, seen: seen)
    }

    /// Whether a page that `read` has named is still missing: another fetch may have inserted it.
    func needs(_ key: PageKey, now: Instant) -> Bool { target(of: key, now: now)?.pages[key.page] == nil }

    /// The snapshot that a page is inserted into: its own, else the current one if that is fresh, and the page not too old.
    ///
    /// Nil for a page that begins a new one.
    private func target(of key: PageKey, now: Instant) -> FeedSnapshot? {
        let snapshots = feeds[key.feed]?.all ?? []
        if let own = snapshots.first(where: { $0.id == key.snapshot }) { return own }
        guard let current = snapshots.first, current.state(at: now) == .fresh else { return nil }
        guard let page = current.pages[key.page] else {
            return current.hasOldPages(after: key.page, at: now) ? nil : current
        }
        guard let notBefore = key.notBefore else { return current }
        return page.fetched + LibraryCache.clockError < notBefore ? nil : current
    }

    /// Inserts a fetched page; `id` is that of a new snapshot, if the page begins one.
    mutating func insert(_ page: FeedPage, for key: PageKey, fetched: Instant, id: UInt64, now: Instant) {
        var snapshots = feeds[key.feed]?.all ?? []
        if let target = target(of: key, now: now) {
            guard let index = snapshots.firstIndex(where: { $0.id == target.id }) else { return }
            snapshots[index].insert(page, number: key.page, fetched: fetched)
        } else {
            var new = FeedSnapshot(id: id, feed: key.feed)
            new.insert(page, number: key.page, fetched: fetched)
            if let current = snapshots.first {
                new.adopt(current, youngerThan: Freshness.lists.staleWhileRevalidate, now: now)
            }
            snapshots.insert(new, at: 0)
        }
        let current = snapshots.first?.id
        snapshots.removeAll { $0.id != current && $0.state(at: now) == .expired }
        feeds[key.feed, default: Snapshots(lastRead: now)].all = Array(snapshots.prefix(FeedLibrary.mostSnapshots))
        trim(keeping: key.page, of: key.feed)
    }

    /// Removes photos beyond the capacity: the least recently read feeds, then older snapshots, then the oldest pages.
    private mutating func trim(keeping number: Int, of feed: Feed) {
        var cost = cost
        guard cost > capacity || feeds.count > FeedLibrary.mostFeeds else { return }
        var idle = feeds.filter { $0.key != feed }.sorted { $0.value.lastRead > $1.value.lastRead }
        while cost > capacity || feeds.count > FeedLibrary.mostFeeds {
            if let (idleFeed, snapshots) = idle.popLast() {
                feeds[idleFeed] = nil
                cost -= snapshots.cost
            } else if let snapshots = feeds[feed]?.all, snapshots.count > 1 {
                cost -= feeds[feed]?.all.removeLast().cost ?? 0
            } else {
                let pages = feeds[feed]?.all.first?.pages.filter { $0.key != number } ?? [:]
                guard let oldest = pages.min(by: { $0.value.fetched < $1.value.fetched }) else { return }
                feeds[feed]?.all[0].drop(page: oldest.key)
                cost = self.cost
            }
        }
    }
}
