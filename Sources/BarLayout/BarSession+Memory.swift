#if !canImport(Darwin)
import Synchronization
#endif

// A session refers to two kinds of objects on the heap: its tracks and a long `id` of its view. All copies of a session
// share them until one copy changes. A store asks here how many bytes a copy adds to those that are already stored.

extension BarSession {
    /// The bytes on the heap that the session refers to, shared or not.
    package var heapBytes: Int {
        tracks.heapBytes + scrollable.heapBytes
    }

    /// The bytes on the heap that no stored session refers to yet: the result that ``hold()`` would have now.
    package var unheldBytes: Int {
        tracks.unheldBytes + scrollable.unheldBytes
    }

    /// Counts one more stored session that refers to these tracks and this `id`.
    ///
    /// - Returns: the bytes that are newly held; 0 if another stored session holds all of them. The caller balances the
    ///   call with one to ``release()``.
    package func hold() -> Int {
        tracks.hold() + scrollable.hold()
    }

    /// Counts one stored session less; returns the bytes that are no longer held.
    package func release() -> Int {
        tracks.release() + scrollable.release()
    }

    /// Whether both sessions refer to the same objects, so that either in place of the other adds no bytes.
    package func sharesHeap(with other: BarSession) -> Bool {
        tracks.isSame(as: other.tracks) && scrollable.sharesID(with: other.scrollable)
    }
}

#if canImport(Darwin)
/// Counts nothing: only the service stores sessions, and systems before iOS 18 have no atomics.
struct HolderCount: Sendable {
    var isZero: Bool { false }

    func add() -> Bool { false }

    func remove() -> Bool { false }
}
#else
/// Counts the stored sessions that refer to one immutable object.
///
/// Bytes that are shared are charged once: from the first session that is stored to the last one that is dropped. The
/// reference count of the object does not tell that, because requests in progress refer to it, too.
struct HolderCount: ~Copyable, Sendable {
    private let holders = Atomic(0)

    /// Whether no stored session refers to the object.
    var isZero: Bool { holders.load(ordering: .relaxed) == 0 }

    /// Adds a holder; returns true for the first one.
    func add() -> Bool { holders.add(1, ordering: .relaxed).oldValue == 0 }

    /// Removes a holder; returns true for the last one.
    func remove() -> Bool {
        let left = holders.subtract(1, ordering: .relaxed).newValue
        assert(left >= 0, "more holders were removed than added")
        return left == 0
    }
}
#endif
