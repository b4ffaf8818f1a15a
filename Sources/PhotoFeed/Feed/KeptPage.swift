package import Primitives

/// A page of a snapshot as every replica keeps it: without the photos of the other pages of the snapshot.
package struct KeptPage: Sendable, Equatable {
    package let key: FeedLibrary.PageKey
    package let photos: [Photo]
    /// The number of photos that were on another page.
    package let removed: Int
    package let fetched: Instant
    /// The number of photos in the feed, according to the library.
    package let total: Int?
    /// The last page of the feed that has photos, once known.
    package let lastPage: Int?

    package init(
        key: FeedLibrary.PageKey,
        photos: [Photo],
        removed: Int,
        fetched: Instant,
        total: Int?,
        lastPage: Int?
    ) {
        self.key = key
        self.photos = photos
        self.removed = removed
        self.fetched = fetched
        self.total = total
        self.lastPage = lastPage
    }

    package var number: Int { key.page }
}
