import PhotoFeed
import Synchronization

/// Pages as bytes, each written once for everybody who is shown it, and bounded by their bytes.
///
/// A page is found by its place in the feed before anything is cut out of it: thirty photos are some hundred references
/// to count, and that was most of what a page cost.
final class RenderedPages: Sendable {
    private let writer: PhotoJSON
    private let pages = Mutex(BoundedCache<FeedPlace, RenderedPage, LRU>(capacity: 16 << 20, largestShare: 0.1))

    /// What a page takes beside its bytes: the cursors, the objects, the table.
    private static let overhead = 1024

    init(_ writer: PhotoJSON) {
        self.writer = writer
    }

    /// The page at this place, if it has been written.
    func page(at place: FeedPlace) -> RenderedPage? {
        pages.withLock { $0.value(for: place) }
    }

    /// The page of a slice, as it was written before, else written now.
    func page(of slice: FeedSlice, in feed: Feed) -> RenderedPage {
        guard let place = slice.place else { return RenderedPage(slice, in: feed, writer) }
        if let known = page(at: place) { return known }
        let page = RenderedPage(slice, in: feed, writer)
        pages.withLock { _ = $0.insert(page, for: place, cost: page.length + Self.overhead) }
        return page
    }
}
