package import Primitives

/// The snapshots of all feeds: selects the snapshot for a request, or the page that must be fetched first.
///
/// A feed has a *current* snapshot, with which clients start, and older ones for the clients that started with them. A
/// pure value: the caller fetches.
package struct FeedLibrary: Sendable {
    /// A page to fetch; equal fetches are shared.
    package struct PageKey: Sendable, Hashable {
        package let feed: Feed
        /// `newSnapshot` for a page that begins a snapshot.
        package let snapshot: UInt64
        package let page: Int

        package init(feed: Feed, snapshot: UInt64, page: Int) {
            self.feed = feed
            self.snapshot = snapshot
            self.page = page
        }
    }

    /// The start of a requested slice.
    package enum Start: Sendable {
        case first
        case cursor(PageCursor)
        /// At the photo with this number in the current snapshot, from 0.
        case photo(Int)
    }

    /// A request for photos of a feed.
    package struct Request: Sendable {
        package var feed: Feed
        package var start: Start
        package var limit: Int
        package var filter: PhotoFilter

        package init(feed: Feed, start: Start, limit: Int, filter: PhotoFilter = PhotoFilter()) {
            self.feed = feed
            self.start = start
            self.limit = limit
            self.filter = filter
        }
    }

    package enum Answer: Sendable {
        /// The answer; with `refresh`, a page that is to be fetched in the background.
        case slice(FeedSlice, refresh: PageKey?)
        case fetch(PageKey)
    }

    struct Snapshots {
        var current: FeedSnapshot?
        /// Newest first.
        var older: [FeedSnapshot] = []
        var lastRead: Instant

        var servable: [FeedSnapshot] { [current].compactMap { $0 } + older }
        var photos: Int { servable.reduce(0) { $0 + $1.count } }
    }

    /// The snapshot and the position of the answer to a request.
    private struct SnapshotPosition {
        let snapshot: FeedSnapshot
        let start: FeedSnapshot.Position
        /// The marks of photos that the client has seen in a removed snapshot.
        var seen: Set<UInt32> = []

        func slice(_ request: Request, short: Bool) -> SliceResult {
            snapshot.slice(from: start, limit: request.limit, filter: request.filter, skipping: seen, short: short)
        }
    }

    private enum Resolution {
        case found(SnapshotPosition, refresh: PageKey?)
        case needs(PageKey)
    }

    var feeds: [Feed: Snapshots] = [:]
    let freshness: Freshness
    private let capacity: Int
    /// The id in the key of a page for which the feed has no snapshot yet.
    package static let newSnapshot: UInt64 = 0
    /// The most older snapshots of a feed, for clients that scroll in them.
    static let olderSnapshots = 4
    /// The most feeds with photos; each costs little more than its photos.
    private static let mostFeeds = 64
    /// The most feeds with and without photos: clients can request any search, which stays empty while the library
    /// fails.
    private static let mostEmptyFeeds = 1024

    /// Creates an empty library for at most `capacity` photos, of about 2 kB each.
    package init(freshness: Freshness, capacity: Int) {
        self.freshness = freshness
        self.capacity = capacity
    }

    /// Returns the answer to a request, or the missing page; with `short`, the answer has only the photos that are
    /// present.
    package mutating func read(_ request: Request, short: Bool = false, now: Instant) -> Answer {
        switch resolve(request, now: now) {
        case .needs(let key): .fetch(key)
        case .found(let position, let refresh):
            switch position.slice(request, short: short) {
            case .slice(let slice): .slice(slice, refresh: refresh)
            case .needs(let page): .fetch(pageKey(position.snapshot, page: page))
            }
        }
    }

    /// Returns the key of the slice that answers a request, and a page to fetch in the background.
    ///
    /// Nil if the key does not determine the answer or its first page is missing. Later pages may be missing as well: the
    /// key is for finding a rendered slice.
    package mutating func sliceKey(of request: Request, now: Instant) -> (key: SliceKey, refresh: PageKey?)? {
        guard case .found(let position, let refresh) = resolve(request, now: now), position.seen.isEmpty,
            !position.snapshot.isEmpty
        else { return nil }
        return (position.snapshot.sliceKey(from: position.start, limit: request.limit, filter: request.filter), refresh)
    }

    /// Chooses a snapshot: the client's own, else the current one if it is fresh or stale, else a new one.
    private mutating func resolve(_ request: Request, now: Instant) -> Resolution {
        var snapshots = feeds[request.feed] ?? Snapshots(lastRead: now)
        snapshots.lastRead = now
        defer {
            feeds[request.feed] = snapshots
            if feeds.count > FeedLibrary.mostEmptyFeeds { removeEmptyFeeds() }
        }
        if case .cursor(let cursor) = request.start, let own = snapshot(cursor.snapshot, in: snapshots, at: now) {
            return .found(SnapshotPosition(snapshot: own, start: cursor.position), refresh: nil)
        }
        let new = FeedSnapshot(id: FeedLibrary.newSnapshot, feed: request.feed)
        if let current = snapshots.current, let fetched = current.fetched {
            switch freshness.state(age: now - fetched) {
            case .fresh: return resolve(in: current, request)
            case .stale: return resolve(in: current, request, refresh: pageKey(new, page: 1))
            case .onlyIfError, .expired: break
            }
        }
        return resolve(in: new, request)
    }

    private func pageKey(_ snapshot: FeedSnapshot, page: Int) -> PageKey {
        PageKey(feed: snapshot.feed, snapshot: snapshot.id, page: page)
    }

    /// Returns the slice to serve after a failed fetch: of the client's own snapshot, else of the newest one that has its
    /// position.
    package func fallback(for request: Request, now: Instant) -> FeedSlice? {
        guard let snapshots = feeds[request.feed] else { return nil }
        if case .cursor(let cursor) = request.start, let own = snapshot(cursor.snapshot, in: snapshots, at: now),
            case .slice(let slice) = SnapshotPosition(snapshot: own, start: cursor.position).slice(request, short: true),
            !slice.photos.isEmpty
        {
            return slice
        }
        for snapshot in snapshots.servable {
            guard let fetched = snapshot.fetched, freshness.state(age: now - fetched) != .expired else { continue }
            if case .cursor(let cursor) = request.start, snapshot.position(after: cursor.marks) == nil { continue }
            guard case .found(let position, _) = resolve(in: snapshot, request) else { continue }
            if case .slice(let slice) = position.slice(request, short: true), !slice.photos.isEmpty { return slice }
        }
        return nil
    }

    /// The number of feeds, with and without photos.
    package var feedCount: Int { feeds.count }

    /// The number of photos.
    package var count: Int { feeds.values.reduce(0) { $0 + $1.photos } }

    func snapshot(_ id: UInt64, in snapshots: Snapshots, at now: Instant) -> FeedSnapshot? {
        let named = snapshots.current?.id == id ? snapshots.current : snapshots.older.first { $0.id == id }
        guard let fetched = named?.fetched, freshness.state(age: now - fetched) != .expired else { return nil }
        return named
    }

    /// Returns the start of a request in a snapshot that its cursor does not name.
    private func resolve(in snapshot: FeedSnapshot, _ request: Request, refresh: PageKey? = nil) -> Resolution {
        switch request.start {
        case .first: return .found(SnapshotPosition(snapshot: snapshot, start: .start), refresh: refresh)
        case .photo(let number):
            return .found(
                SnapshotPosition(snapshot: snapshot, start: snapshot.position(ofPhoto: number)),
                refresh: refresh
            )
        case .cursor(let cursor):
            // The photos shown last are on the page of the position, or near it.
            var start = cursor.position
            if let found = snapshot.position(after: cursor.marks) {
                start = found
            } else if start.page <= snapshot.lastPage ?? .max, snapshot.pages[start.page] == nil {
                return .needs(pageKey(snapshot, page: start.page))
            }
            return .found(SnapshotPosition(snapshot: snapshot, start: start, seen: Set(cursor.marks)), refresh: refresh)
        }
    }

    /// Removes photos beyond the capacity: the least recently read feeds, then older snapshots, then the oldest pages of
    /// the feed that has just grown.
    mutating func trim(keeping key: PageKey) {
        var photos = count
        guard photos > capacity || feeds.count > FeedLibrary.mostFeeds else { return }
        var idle = feeds.filter { $0.key != key.feed }.sorted { $0.value.lastRead > $1.value.lastRead }
        while photos > capacity || feeds.count > FeedLibrary.mostFeeds {
            if let (feed, snapshots) = idle.popLast() {
                feeds[feed] = nil
                photos -= snapshots.photos
            } else if let older = feeds[key.feed]?.older.popLast() {
                photos -= older.count
            } else {
                let pages = feeds[key.feed]?.current?.pages.filter { $0.key != key.page } ?? [:]
                guard let oldest = pages.min(by: { $0.value.fetched < $1.value.fetched })?.key else { return }
                feeds[key.feed]?.current?.drop(page: oldest)
                photos = count
            }
        }
    }

    /// Removes the least recently read feeds without photos.
    ///
    /// It removes half of the limit, so that it is rare. A page on its way to such a feed is fetched again on request.
    private mutating func removeEmptyFeeds() {
        let empty = feeds.filter { $0.value.photos == 0 }.sorted { $0.value.lastRead < $1.value.lastRead }
        for (feed, _) in empty.prefix(FeedLibrary.mostEmptyFeeds / 2) { feeds[feed] = nil }
    }
}
