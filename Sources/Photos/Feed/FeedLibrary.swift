import PhotoLibrary
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

        var isByNumber: Bool { if case .photo = start { true } else { false } }
    }

    enum Answer: Sendable {
        /// The answer; with `refresh`, a page that is to be fetched in the background.
        case slice(FeedSlice, refresh: PageKey?)
        case fetch(PageKey)
    }

    /// The snapshot and the position of the answer to a request.
    private struct SnapshotPosition {
        let snapshot: FeedSnapshot
        let start: FeedSnapshot.Position
        /// The marks of photos that the client has seen in a removed snapshot.
        var seen: [UInt32] = []
        var refresh: PageKey?

        func slice(_ request: Request, short: Bool) throws(PageKey) -> FeedSlice {
            try snapshot.slice(request, from: start, skipping: seen, short: short)
        }
    }

    /// The snapshots of each feed, newest first; the first one is current.
    private(set) var feeds: BoundedCache<Feed, [FeedSnapshot]>
    /// The id in the key of a page for which the feed has no snapshot yet.
    static let newSnapshot: UInt64 = 0
    /// The most snapshots of a feed: the current one, and those in which clients still scroll.
    static let mostSnapshots = 5
    /// The pages on which the photos of a cursor are looked for: 61 of them are found after up to 120 new ones.
    private static let searchedPages = 3

    /// Creates an empty library for at most `capacity` bytes; a photo in two snapshots counts twice.
    init(capacity: Int) {
        feeds = BoundedCache(capacity: capacity)
    }

    /// Returns the answer to a request, or the missing page; a `short` answer has only the photos that are present.
    mutating func read(_ request: Request, short: Bool = false, now: Instant) -> Answer {
        do throws(PageKey) {
            let position = try resolve(request, short: short, now: now)
            return .slice(try position.slice(request, short: short), refresh: position.refresh)
        } catch {
            return .fetch(error)
        }
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
    private mutating func resolve(
        _ request: Request,
        short: Bool = false,
        now: Instant
    ) throws(PageKey) -> SnapshotPosition {
        let snapshots = feeds.value(for: request.feed) ?? []
        if let own = own(request, in: snapshots, at: now) { return own }
        let new = FeedSnapshot(id: FeedLibrary.newSnapshot, feed: request.feed)
        let current = snapshots.first
        let state = current?.state(at: now)
        guard let current, state == .fresh || state == .stale else {
            return try position(of: request, in: new, short: short)
        }
        var answer = try position(of: request, in: current, short: short)
        if state == .stale { answer.refresh = new.key(ofPage: 1) }
        return answer
    }

    /// Returns the start of a request in a snapshot that its cursor does not name; a `short` search fetches no page.
    private func position(
        of request: Request,
        in snapshot: FeedSnapshot,
        short: Bool
    ) throws(PageKey) -> SnapshotPosition {
        switch request.start {
        case .first: return SnapshotPosition(snapshot: snapshot, start: .start)
        case .photo(let number): return SnapshotPosition(snapshot: snapshot, start: snapshot.position(ofPhoto: number))
        case .cursor(let cursor, let fetched):
            if let start = snapshot.position(after: cursor.marks) {
                return SnapshotPosition(snapshot: snapshot, start: start, seen: cursor.marks)
            }
            // The photo shown last was on the first of these pages; new ones have moved it down.
            let isFirstOfPage = cursor.position.index == 0 && !cursor.marks.isEmpty
            let first = max(1, isFirstOfPage ? cursor.position.page - 1 : cursor.position.page)
            let count = cursor.marks.isEmpty ? 1 : FeedLibrary.searchedPages
            for page in first..<first + count where !short && page <= snapshot.lastPage ?? .max {
                if !snapshot.has(page, notBefore: fetched) { throw snapshot.key(ofPage: page, notBefore: fetched) }
            }
            return SnapshotPosition(snapshot: snapshot, start: cursor.position, seen: cursor.marks)
        }
    }

    /// Returns the slice after a failed fetch: of the client's own snapshot, else of the newest that has its position.
    func fallback(for request: Request, now: Instant) -> FeedSlice? {
        let snapshots = feeds.peek(request.feed) ?? []
        let own = own(request, in: snapshots, at: now)
        if let slice = try? own?.slice(request, short: true), !slice.photos.isEmpty { return slice }
        for snapshot in snapshots where snapshot.state(at: now) != .expired {
            if case .cursor(let cursor, _) = request.start, snapshot.position(after: cursor.marks) == nil { continue }
            let position = try? position(of: request, in: snapshot, short: true)
            if let slice = try? position?.slice(request, short: true), !slice.photos.isEmpty { return slice }
        }
        return nil
    }

    /// The position of a cursor in its own snapshot or a copy of it; nil without a cursor, and if both are gone.
    private func own(_ request: Request, in snapshots: [FeedSnapshot], at now: Instant) -> SnapshotPosition? {
        guard case .cursor(let cursor, _) = request.start else { return nil }
        for own in snapshots where own.id == cursor.snapshot || own.origin == cursor.snapshot {
            let before = own.marks(before: cursor.position)
            let shown = Set(before)
            // After the page was fetched again, another photo is there.
            guard own.state(at: now) != .expired, cursor.marks.isEmpty || cursor.marks.last == before.last
            else { continue }
            // Those that were shown before this snapshot began, and come later in it.
            let seen = cursor.marks.filter { !shown.contains($0) }
            return SnapshotPosition(snapshot: own, start: cursor.position, seen: seen)
        }
        return nil
    }

    /// Whether a page that `read` has named is still missing: another fetch may have inserted it.
    func needs(_ key: PageKey, now: Instant) -> Bool {
        let snapshots = feeds.peek(key.feed) ?? []
        guard let index = target(of: key, in: snapshots, now: now) else { return true }
        return !snapshots[index].has(key.page, notBefore: key.notBefore)
    }

    /// The index of the snapshot that a page is inserted into: its own, else the current one if that is fresh.
    ///
    /// Nil for a page that begins a new one.
    private func target(of key: PageKey, in snapshots: [FeedSnapshot], now: Instant) -> Int? {
        if let own = snapshots.firstIndex(where: { $0.id == key.snapshot }) { return own }
        return snapshots.first?.state(at: now) == .fresh ? 0 : nil
    }

    /// Inserts a fetched page; `id` is that of a new snapshot or copy, if the page begins one.
    mutating func insert(_ page: FeedPage, for key: PageKey, fetched: Instant, id: UInt64, now: Instant) {
        guard needs(key, now: now) else { return }
        var snapshots = feeds.peek(key.feed) ?? []
        if let index = target(of: key, in: snapshots, now: now) {
            let copy = snapshots[index].copy(id: id)
            let hasRemoved = snapshots[index].removePages(from: key.page, olderThan: fetched)
            snapshots[index].insert(page, number: key.page, fetched: fetched)
            // Clients that have seen the removed pages go on in the copy.
            if hasRemoved { snapshots.insert(copy, at: index + 1) }
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
        snapshots = Array(snapshots.prefix(FeedLibrary.mostSnapshots))
        let cost = trim(&snapshots, keeping: key.page)
        // A single page is kept in any case.
        feeds.insert(snapshots, for: key.feed, cost: min(cost, feeds.capacity))
    }

    /// Removes photos of a feed that has more than all feeds may have: older snapshots, then the oldest pages.
    ///
    /// - Returns: the bytes of the others.
    private func trim(_ snapshots: inout [FeedSnapshot], keeping number: Int) -> Int {
        while true {
            let cost = snapshots.reduce(0) { $0 + $1.cost }
            if cost <= feeds.capacity { return cost }
            if snapshots.count > 1 {
                snapshots.removeLast()
            } else {
                let pages = snapshots[0].pages.filter { $0.key != number }
                guard let oldest = pages.min(by: { ($0.value.fetched, $0.key) < ($1.value.fetched, $1.key) })
                else { return cost }
                snapshots[0].drop(page: oldest.key)
            }
        }
    }
}
