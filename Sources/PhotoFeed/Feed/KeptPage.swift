package import Primitives

/// A page of a snapshot as every replica keeps it: without the photos of the other pages of the snapshot.
package struct KeptPage: Sendable, Equatable {
    package let snapshot: UInt64
    package let number: Int
    package let photos: [Photo]
    /// The mark of each photo, for cursors.
    let marks: [UInt32]
    /// The number of photos that were on another page.
    package let removed: Int
    package let fetched: Instant
    /// The number of photos in the feed, according to the library.
    package let total: Int?
    /// The last page of the feed that has photos, once known.
    package let lastPage: Int?

    package init(
        snapshot: UInt64,
        number: Int,
        photos: [Photo],
        removed: Int,
        fetched: Instant,
        total: Int?,
        lastPage: Int?
    ) {
        self.snapshot = snapshot
        self.number = number
        self.photos = photos
        marks = photos.map { PageCursor.mark($0.id) }
        self.removed = removed
        self.fetched = fetched
        self.total = total
        self.lastPage = lastPage
    }
}
