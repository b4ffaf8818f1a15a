/// What a slice follows from: while this is the same, so is the slice, and whatever was made of it can be used again.
package struct FeedPlace: Sendable, Hashable {
    package let snapshot: UInt64
    /// The snapshot's own count of changes.
    package let revision: Int
    package let start: FeedSnapshot.Position
    package let limit: Int
    package let filter: PhotoFilter
}
