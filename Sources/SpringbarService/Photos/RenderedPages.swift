import PhotoFeed
import Primitives
import Synchronization

/// A cache of rendered pages.
///
/// A page is found by the key of its slice, before the slice is made: the reference counts of thirty photos were most of
/// the cost of a page.
final class RenderedPages: Sendable {
    private let writer: PhotoJSON
    private let pages = Mutex(BoundedCache<Key, RenderedPage>(capacity: 16 << 20, largestShare: 0.1))

    /// The key of the slice, and with the sandbox library the base URL of the hotlinks.
    private struct Key: Hashable {
        let place: FeedPlace
        let ownHotlinks: String?
    }

    /// The bytes of an entry besides its page: the cursors, the objects, the table.
    private static let overhead = 1024

    init(_ writer: PhotoJSON) {
        self.writer = writer
    }

    /// Returns the page of a key, if it is cached; `ownHotlinks` is as in `PhotoJSON`.
    func page(at place: FeedPlace, ownHotlinks: String?) -> RenderedPage? {
        pages.withLock { $0.value(for: Key(place: place, ownHotlinks: ownHotlinks)) }
    }

    /// Returns the page of a slice, from the cache or rendered now; `ownHotlinks` is as in `PhotoJSON`.
    func page(of slice: FeedSlice, in feed: Feed, ownHotlinks: String?) -> RenderedPage {
        var writer = writer
        writer.ownHotlinks = ownHotlinks
        guard let place = slice.place else { return RenderedPage(slice, in: feed, writer) }
        if let known = page(at: place, ownHotlinks: ownHotlinks) { return known }
        let page = RenderedPage(slice, in: feed, writer)
        let key = Key(place: place, ownHotlinks: ownHotlinks)
        pages.withLock { _ = $0.insert(page, for: key, cost: page.length + Self.overhead) }
        return page
    }
}
