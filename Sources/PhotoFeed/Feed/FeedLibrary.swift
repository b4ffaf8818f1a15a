/// Every feed that is being scrolled, with its snapshots: decides from which one a client is served, and which page
/// has to be fetched for it.
///
/// A feed has a *current* snapshot, from which everybody starts; a *coming* one while its first page is fetched; and
/// older ones, in which those who began there scroll on. Nothing in it waits or fetches.
package struct FeedLibrary: Sendable {
    /// A page to be fetched, for everybody who needs it: what one fetch at a time is kept for.
    package struct Ticket: Sendable, Hashable {
        package let feed: Feed
        package let snapshot: UInt64
        package let page: Int
    }

    /// Where a client wants to begin.
    package enum Start: Sendable {
        case first
        case cursor(PageCursor)
        /// At the photo with this number in the current snapshot, from 0.
        case photo(Int)
    }

    /// What a client asks for.
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
        /// To be served at once; with a ticket, this page is to be fetched behind the client's back.
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

    /// Where a slice begins.
    private struct Spot {
        let snapshot: FeedSnapshot
        let start: FeedSnapshot.Position
        /// The photos that a client has seen in a snapshot that is gone, by their marks.
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
    /// Older snapshots kept for those who scroll in them.
    private static let olderSnapshots = 4
    /// Feeds kept at most; each costs little more than its photos.
    private static let feeds = 64
    /// Feeds that may be asked for before a page of any of them has come: a search is made up by whoever asks, and while
    /// the library is away none of them gets a photo.
    private static let askedFeeds = 1024

    /// An empty library that holds at most `capacity` photos, of about 2 kB each.
    ///
    /// `makeID` gives ids that never come twice, in any run.
    package init(freshness: Freshness, capacity: Int, makeID: @escaping @Sendable () -> UInt64) {
        self.freshness = freshness
        self.capacity = capacity
        self.makeID = makeID
    }

    /// The answer to a request, or the page that it lacks; a `short` answer asks for no page when it has something.
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

    /// The place from which a request is answered, and a page to be fetched behind the client's back.
    ///
    /// Nil when the answer follows from more than the place, or a page is missing for certain. Others may be: the place
    /// is for finding again what was made of a slice.
    package mutating func place(
        of request: Request,
        now: ContinuousClock.Instant
    ) -> (place: FeedPlace, refresh: Ticket?)? {
        guard case .found(let spot, let refresh) = locate(request, now: now), spot.seen.isEmpty else { return nil }
        return (spot.snapshot.place(from: spot.start, limit: request.limit, filter: request.filter), refresh)
    }

    /// Decides for a snapshot: the client's own, else the current one while it is good, else the coming one.
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

    /// What can still be served when a fetch failed: what is left of the client's own snapshot, then others, newest
    /// first, in which its place is found.
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

    /// Takes in the page that a ticket asked for.
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

    /// Whether the page of a ticket has come: whoever asks for it a moment too late need not fetch it again.
    package func holds(_ ticket: Ticket) -> Bool {
        shelves[ticket.feed]?.snapshots.contains { $0.id == ticket.snapshot && $0.pages[ticket.page] != nil } ?? false
    }

    /// How many feeds are known, with photos or without.
    package var feedCount: Int { shelves.count }

    /// How many photos are held.
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

    /// Where a request begins in a snapshot that it does not name.
    private func whereabouts(in snapshot: FeedSnapshot, _ request: Request, refresh: Ticket? = nil) -> Whereabouts {
        switch request.start {
        case .first: return .found(Spot(snapshot: snapshot, start: .start), refresh: refresh)
        case .photo(let number):
            return .found(Spot(snapshot: snapshot, start: snapshot.position(ofPhoto: number)), refresh: refresh)
        case .cursor(let cursor):
            // The page where the library would put it comes first: on it, or near it, stand the photos shown last.
            var start = cursor.position
            if let found = snapshot.position(after: cursor.marks) {
                start = found
            } else if start.page <= snapshot.lastPage ?? .max, snapshot.pages[start.page] == nil {
                return .needs(ticket(snapshot, page: start.page))
            }
            return .found(Spot(snapshot: snapshot, start: start, seen: Set(cursor.marks)), refresh: refresh)
        }
    }

    /// Keeps within the capacity: first the feed that was not read for the longest time, then older snapshots, then the
    /// oldest pages of the one that just grew.
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

    /// Forgets the feeds without a photo that nobody has asked for lately.
    ///
    /// It takes half of those there may be, so that it is seldom done. A page that is still on its way to one of them is fetched again by whoever asks again.
    private mutating func forgetAskedFeeds() {
        let empty = shelves.filter { $0.value.photos == 0 }.sorted { $0.value.lastRead < $1.value.lastRead }
        for (feed, _) in empty.prefix(FeedLibrary.askedFeeds / 2) { shelves[feed] = nil }
    }
}
