import PhotoLibrary
import Primitives

/// A feed as it was when a client began to scroll: pages of the library by number, each photo in only one of them.
///
/// The pages of the library shift when photos are added. A snapshot inserts each page once, without the photos that it
/// already has, and never changes photos that it has returned. New photos go to the next snapshot. Pages may be missing:
/// a client that begins at the fortieth must not cost 39 calls. If a missing page arrives, later ones that were there before
/// it are fetched again, and clients that have seen them go on in a copy.
struct FeedSnapshot: Sendable {
    /// A page without the photos of the other pages.
    struct Page: Sendable {
        let photos: [Photo]
        let marks: [UInt32]
        /// The bytes of its photos.
        let cost: Int
        /// The number of photos that were on another page.
        let removed: Int
        let fetched: Instant
    }

    /// Unique in every run.
    private(set) var id: UInt64
    /// The snapshot that this is a copy of; its own id for others.
    private(set) var origin: UInt64
    let feed: Feed
    private(set) var pages: [Int: Page] = [:]
    /// Grows with every page that is inserted or removed.
    private(set) var revision = 0
    /// The photos of all pages.
    private var seen: Set<String> = []
    /// The last page that has photos, once known.
    private(set) var lastPage: Int?
    /// The number of photos in the feed, according to the library.
    private(set) var total: Int?

    /// A position between two photos.
    struct Position: Sendable, Hashable {
        /// From 1.
        var page: Int
        var index: Int

        static let start = Position(page: 1, index: 0)
    }

    init(id: UInt64, feed: Feed) {
        (self.id, origin) = (id, id)
        self.feed = feed
        lastPage = feed.lastPage
    }

    /// The bytes of all photos, and of the snapshot with its feed.
    var cost: Int { pages.values.reduce(2048) { $0 + $1.cost } }

    /// The time at which the first page was fetched, else the oldest of the others: the age of the snapshot.
    var fetched: Instant? { pages[1]?.fetched ?? pages.values.map(\.fetched).min() }

    /// The freshness of the snapshot; without pages it is expired.
    func state(at now: Instant) -> Freshness.State { fetched.map { Freshness.lists.state(age: now - $0) } ?? .expired }

    /// Inserts a page of the library, unless it is known: clients have seen that one.
    mutating func insert(_ page: FeedPage, number: Int, fetched: Instant) {
        guard pages[number] == nil else { return }
        total = page.total ?? total
        let last = page.photos.isEmpty ? number - 1 : page.hasNext ? .max : number
        if last < lastPage ?? .max { lastPage = last }
        insert(page.photos, number: number, fetched: fetched)
    }

    private mutating func insert(_ photos: [Photo], number: Int, fetched: Instant) {
        let new = photos.filter { seen.insert($0.id).inserted }
        revision += 1
        pages[number] = Page(
            photos: new,
            marks: new.map { PageCursor.mark($0.id) },
            cost: new.reduce(256) { $0 + $1.cost },
            removed: photos.count - new.count,
            fetched: fetched
        )
    }

    /// Whether a page is there that was fetched at a time or after it.
    func has(_ number: Int, notBefore time: Instant?) -> Bool {
        pages[number].map { page in time.map { page.fetched + LibraryCache.clockError >= $0 } ?? true } ?? false
    }

    /// Returns a copy with an id of its own.
    func copy(id: UInt64) -> FeedSnapshot {
        var copy = self
        (copy.id, copy.origin) = (id, self.id)
        return copy
    }

    /// Removes the pages from a number on that were fetched before a time; returns whether there were any.
    ///
    /// They lack the photos that new ones have moved to them since.
    mutating func removePages(from number: Int, olderThan time: Instant) -> Bool {
        let old = pages.keys.filter { $0 >= number && !has($0, notBefore: time) }
        for number in old { drop(page: number) }
        // The end of the feed may have moved, too.
        if !old.isEmpty { lastPage = feed.lastPage }
        return !old.isEmpty
    }

    /// Removes a page, to save memory; it can be fetched again.
    mutating func drop(page number: Int) {
        guard let page = pages.removeValue(forKey: number) else { return }
        revision += 1
        for photo in page.photos { seen.remove(photo.id) }
    }

    /// The key of a missing page, which must not be older than the page before it.
    ///
    /// A page that was fetched later can only repeat photos, which are removed. An older one would lack photos that new ones
    /// have moved off the page before.
    func key(ofPage number: Int, notBefore: Instant? = nil) -> FeedLibrary.PageKey {
        let before = pages.filter { $0.key < number }.max { $0.key < $1.key }?.value.fetched
        let least = [before, notBefore].compactMap(\.self).max()
        return FeedLibrary.PageKey(feed: feed, snapshot: id, page: number, notBefore: least)
    }

    /// Adopts the later pages of the previous snapshot that are not older than `limit`.
    ///
    /// New photos have moved the old ones down. Those that left the first page are put before the second, so that none is
    /// missing and no page is fetched again. If the two first pages have no photo in common, nothing is adopted.
    mutating func adopt(_ older: FeedSnapshot, youngerThan limit: Duration, now: Instant) {
        guard let first = pages[1], pages.count == 1, let oldFirst = older.pages[1] else { return }
        let ids = Set(first.photos.map(\.id))
        guard let overlap = oldFirst.photos.lastIndex(where: { ids.contains($0.id) }) else { return }
        var pushed = Array(oldFirst.photos[(overlap + 1)...])
        var number = 2
        while let page = older.pages[number], now - page.fetched < limit {
            insert(pushed + page.photos, number: number, fetched: page.fetched)
            pushed = []
            number += 1
        }
    }
}
