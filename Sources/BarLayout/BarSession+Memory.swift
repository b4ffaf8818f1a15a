import Primitives

// What a session refers to and does not contain: its tracks and a long name of its view. Both are shared by all copies
// of the session that were not changed in between, so a store asks what a copy adds to what it keeps already.

extension BarSession {
    /// The bytes of the heap that it refers to, whether others share them or not.
    package var heapBytes: Int {
        tracks.heapBytes + scrollable.heapBytes
    }

    /// The bytes of the heap that it refers to and no stored session does: what ``hold()`` would answer now.
    package var unheldBytes: Int {
        tracks.unheldBytes + scrollable.unheldBytes
    }

    /// Notes that one more stored session refers to this one's tracks and name.
    ///
    /// - Returns: the bytes that are kept because of it; 0 if other stored sessions share all of them. Afterwards
    ///   ``letGo()`` is called once.
    package func hold() -> Int {
        tracks.hold() + scrollable.hold()
    }

    /// Notes that one stored session less refers to this one's tracks and name; returns the bytes that are free then.
    package func letGo() -> Int {
        tracks.letGo() + scrollable.letGo()
    }

    /// Whether both refer to the same objects, so that one in place of the other adds nothing.
    package func sharesHeap(with other: BarSession) -> Bool {
        tracks.isSame(as: other.tracks) && scrollable.isSameName(as: other.scrollable)
    }
}
