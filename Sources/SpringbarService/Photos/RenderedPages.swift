import PhotoFeed
import Primitives
import Synchronization

/// Pages as bytes, each written once for everybody who is shown it, and bounded by their bytes.
///
/// A page is found by its place in the feed before anything is cut out of it: thirty photos are some hundred references
/// to count, and that was most of what a page cost.
final class RenderedPages: Sendable {
    private let writer: PhotoJSON
    private let pages = Mutex(BoundedCache<Key, RenderedPage>(capacity: 16 << 20, largestShare: 0.1))

    /// Pages differ in their place, and with the sandbox library in where their hotlinks lead.
    private struct Key: Hashable {
        let place: FeedPlace
        let ownHotlinks: String?
    }

    /// What a page takes beside its bytes: the cursors, the objects, the table.
    private static let overhead = 1024

    init(_ writer: PhotoJSON) {
        self.writer = writer
    }

    /// The page at this place, if it has been written; `ownHotlinks` is as in `PhotoJSON`.
    func page(at place: FeedPlace, ownHotlinks: String?) -> RenderedPage? {
        pages.withLock { $0.value(for: Key(place: place, ownHotlinks: ownHotlinks)) }
    }

    /// The page of a slice, as it was written before, else written now; `ownHotlinks` is as in `PhotoJSON`.
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
