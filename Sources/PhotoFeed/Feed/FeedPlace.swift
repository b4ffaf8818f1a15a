/// Determines a slice: equal keys mean equal slices, so that a rendered slice can be used again.
package struct FeedPlace: Sendable, Hashable {
    package let snapshot: UInt64
    /// The number of changes of the snapshot so far.
    package let revision: Int
    package let start: FeedSnapshot.Position
    package let limit: Int
    package let filter: PhotoFilter
}
