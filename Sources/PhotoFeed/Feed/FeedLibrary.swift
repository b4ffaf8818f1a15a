/// The snapshots of all feeds: decides which snapshot a request is answered from, and which page must be fetched first.
///
/// A feed has a *current* snapshot, with which clients start, a *coming* one while its first page is fetched, and older
/// ones for the clients that started with them. A pure value: the caller fetches.
package struct FeedLibrary: Sendable {
    /// A page to fetch; equal fetches are shared.
    package struct Ticket: Sendable, Hashable {
        package let feed: Feed
        package let snapshot: UInt64
        package let page: Int
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
        case slice(FeedSlice, refresh: Ticket?)
        case fetch(Ticket)
    }

    private struct Shelf {
        var current: FeedSnapshot?
        var coming: FeedSnapshot?
        /// Newest first.
        var older: [FeedSnapshot] = []
        var lastRead: ContinuousClock.Instant

        var snapshots: [FeedSnapshot] { [current].compactMap { $0 } + older }
        var photos: Int { snapshots.reduce(0) { $0 + $1.count } }
    }

    /// The snapshot and the position that a request is answered from.
    private struct Spot {
        let snapshot: FeedSnapshot
        let start: FeedSnapshot.Position
        /// The marks of photos that the client has seen in a snapshot that is gone.
        var seen: Set<UInt32> = []

        func slice(_ request: Request, short: Bool) -> SliceOutcome {
            snapshot.slice(from: start, limit: request.limit, filter: request.filter, skipping: seen, short: short)
        }
    }

    private enum Whereabouts {
        case found(Spot, refresh: Ticket?)
        case needs(Ticket)
    }

    private var shelves: [Feed: Shelf] = [:]
    private let freshness: Freshness
    private let capacity: Int
    private let makeID: @Sendable () -> UInt64
    /// The most older snapshots of a feed, for clients that scroll in them.
    private static let olderSnapshots = 4
    /// The most feeds with photos; each costs little more than its photos.
    private static let feeds = 64
    /// The most feeds with and without photos: clients invent searches, which stay empty while the library fails.
    private static let askedFeeds = 1024

    /// Creates an empty library for at most `capacity` photos, of about 2 kB each.
    ///
    /// `makeID` returns ids that do not repeat in any run.
    package init(freshness: Freshness, capacity: Int, makeID: @escaping @Sendable () -> UInt64) {
        self.freshness = freshness
        self.capacity = capacity
        self.makeID = makeID
    }

    /// Returns the answer to a request, or the page that is missing; a `short` answer is what there is of it.
    package mutating func read(_ request: Request, short: Bool = false, now: ContinuousClock.Instant) -> Answer {
        switch locate(request, now: now) {
        case .needs(let ticket): .fetch(ticket)
        case .found(let spot, let refresh):
            switch spot.slice(request, short: short) {
            case .slice(let slice): .slice(slice, refresh: refresh)
            case .needs(let page): .fetch(ticket(spot.snapshot, page: page))
            }
        }
    }

    /// Returns the key of the slice that answers a request, and a page to fetch in the background.
    ///
    /// Nil if the key does not determine the answer or its first page is missing. Later pages may be missing as well: the
    /// key is for finding a rendered slice.
    package mutating func place(
        of request: Request,
        now: ContinuousClock.Instant
    ) -> (place: FeedPlace, refresh: Ticket?)? {
        guard case .found(let spot, let refresh) = locate(request, now: now), spot.seen.isEmpty else { return nil }
        return (spot.snapshot.place(from: spot.start, limit: request.limit, filter: request.filter), refresh)
    }

    /// Chooses a snapshot: the client's own, else the current one if it is fresh or stale, else the coming one.
    private mutating func locate(_ request: Request, now: ContinuousClock.Instant) -> Whereabouts {
        var shelf = shelves[request.feed] ?? Shelf(lastRead: now)
        shelf.lastRead = now
        defer {
            shelves[request.feed] = shelf
            if shelves.count > FeedLibrary.askedFeeds { forgetAskedFeeds() }
        }
        if case .cursor(let cursor) = request.start, let own = snapshot(cursor.snapshot, in: shelf, now) {
            return .found(Spot(snapshot: own, start: cursor.position), refresh: nil)
        }
        if let current = shelf.current, let fetched = current.fetched {
            switch freshness.state(age: now - fetched) {
            case .fresh: return whereabouts(in: current, request)
            case .stale:
                let coming = coming(&shelf, request.feed)
                return whereabouts(in: current, request, refresh: ticket(coming, page: 1))
            case .onlyIfError, .expired: break
            }
        }
        return whereabouts(in: coming(&shelf, request.feed), request)
    }

    private func ticket(_ snapshot: FeedSnapshot, page: Int) -> Ticket {
        Ticket(feed: snapshot.feed, snapshot: snapshot.id, page: page)
    }

    /// Returns what can be served after a failed fetch: the rest of the client's own snapshot, else of the newest one
    /// that has its position.
    package func fallback(for request: Request, now: ContinuousClock.Instant) -> FeedSlice? {
        guard let shelf = shelves[request.feed] else { return nil }
        if case .cursor(let cursor) = request.start, let own = snapshot(cursor.snapshot, in: shelf, now),
            case .slice(let slice) = Spot(snapshot: own, start: cursor.position).slice(request, short: true),
            !slice.photos.isEmpty
        {
            return slice
        }
        for snapshot in shelf.snapshots {
            guard let fetched = snapshot.fetched, freshness.state(age: now - fetched) != .expired else { continue }
            if case .cursor(let cursor) = request.start, snapshot.position(after: cursor.marks) == nil { continue }
            guard case .found(let spot, _) = whereabouts(in: snapshot, request) else { continue }
            if case .slice(let slice) = spot.slice(request, short: true), !slice.photos.isEmpty { return slice }
        }
        return nil
    }

    /// Inserts a fetched page.
    package mutating func insert(_ page: UpstreamPage, for ticket: Ticket, now: ContinuousClock.Instant) {
        var shelf = shelves[ticket.feed] ?? Shelf(lastRead: now)
        if var coming = shelf.coming, coming.id == ticket.snapshot {
            coming.insert(page, number: ticket.page, now: now)
            if let current = shelf.current {
                coming.adopt(current, youngerThan: freshness.staleWhileRevalidate, now: now)
                shelf.older.insert(current, at: 0)
                shelf.older = Array(shelf.older.prefix(FeedLibrary.olderSnapshots))
            }
            shelf.current = coming
            shelf.coming = nil
        } else if shelf.current?.id == ticket.snapshot {
            shelf.current?.insert(page, number: ticket.page, now: now)
        } else if let index = shelf.older.firstIndex(where: { $0.id == ticket.snapshot }) {
            shelf.older[index].insert(page, number: ticket.page, now: now)
        }
        shelf.older.removeAll { older in
            older.fetched.map { freshness.state(age: now - $0) == .expired } ?? true
        }
        shelves[ticket.feed] = shelf
        trim(keeping: ticket)
    }

    /// Whether a page has been inserted already, by a fetch that has just ended.
    package func holds(_ ticket: Ticket) -> Bool {
        shelves[ticket.feed]?.snapshots.contains { $0.id == ticket.snapshot && $0.pages[ticket.page] != nil } ?? false
    }

    /// The number of feeds, with and without photos.
    package var feedCount: Int { shelves.count }

    /// The number of photos.
    package var count: Int { shelves.values.reduce(0) { $0 + $1.photos } }

    private func snapshot(_ id: UInt64, in shelf: Shelf, _ now: ContinuousClock.Instant) -> FeedSnapshot? {
        let named = shelf.current?.id == id ? shelf.current : shelf.older.first { $0.id == id }
        guard let fetched = named?.fetched, freshness.state(age: now - fetched) != .expired else { return nil }
        return named
    }

    private func coming(_ shelf: inout Shelf, _ feed: Feed) -> FeedSnapshot {
        if let coming = shelf.coming { return coming }
        let coming = FeedSnapshot(id: makeID(), feed: feed)
        shelf.coming = coming
        return coming
    }

    /// Returns the start of a request in a snapshot that its cursor does not name.
    private func whereabouts(in snapshot: FeedSnapshot, _ request: Request, refresh: Ticket? = nil) -> Whereabouts {
        switch request.start {
        case .first: return .found(Spot(snapshot: snapshot, start: .start), refresh: refresh)
        case .photo(let number):
            return .found(Spot(snapshot: snapshot, start: snapshot.position(ofPhoto: number)), refresh: refresh)
        case .cursor(let cursor):
            // The photos shown last are on the page of the position, or near it.
            var start = cursor.position
            if let found = snapshot.position(after: cursor.marks) {
                start = found
            } else if start.page <= snapshot.lastPage ?? .max, snapshot.pages[start.page] == nil {
                return .needs(ticket(snapshot, page: start.page))
            }
            return .found(Spot(snapshot: snapshot, start: start, seen: Set(cursor.marks)), refresh: refresh)
        }
    }

    /// Removes photos beyond the capacity: the least recently read feeds, then older snapshots, then the oldest pages of
    /// the feed that has just grown.
    private mutating func trim(keeping ticket: Ticket) {
        var photos = count
        guard photos > capacity || shelves.count > FeedLibrary.feeds else { return }
        var idle = shelves.filter { $0.key != ticket.feed }.sorted { $0.value.lastRead > $1.value.lastRead }
        while photos > capacity || shelves.count > FeedLibrary.feeds {
            if let (feed, shelf) = idle.popLast() {
                shelves[feed] = nil
                photos -= shelf.photos
            } else if let older = shelves[ticket.feed]?.older.popLast() {
                photos -= older.count
            } else {
                let pages = shelves[ticket.feed]?.current?.pages.filter { $0.key != ticket.page } ?? [:]
                guard let oldest = pages.min(by: { $0.value.fetched < $1.value.fetched })?.key else { return }
                shelves[ticket.feed]?.current?.drop(page: oldest)
                photos = count
            }
        }
    }

    /// Removes the least recently read feeds without photos.
    ///
    /// It takes half of those there may be, so that it is seldom done. A page that is still on its way to one of them is fetched again by whoever asks again.
    private mutating func forgetAskedFeeds() {
        let empty = shelves.filter { $0.value.photos == 0 }.sorted { $0.value.lastRead < $1.value.lastRead }
        for (feed, _) in empty.prefix(FeedLibrary.askedFeeds / 2) { shelves[feed] = nil }
    }
}
