package import BarLayout
package import Primitives

/// A bar as a store keeps it: its present state, and those at which the segments of its log begin.
///
/// It never changes: a write makes the next one. So it is an object, and reading a bar is a reference to it, where a
/// value of some hundred bytes would be copied at each step from the store to the answer and back.
package final class BarRecord: Sendable {
    package let session: BarSession
    /// Grows by one with every event and every change of the tracks; what compare-and-set compares.
    package let revision: Int
    /// The number of the last event; 0 before the first.
    package let lastSequence: Int
    /// How long the bar lives after a write, in seconds.
    package let ttlSeconds: Int
    package let expiresAt: WallTime

    private init(_ session: BarSession, revision: Int, lastSequence: Int, ttlSeconds: Int, expiresAt: WallTime) {
        self.session = session
        self.revision = revision
        self.lastSequence = lastSequence
        self.ttlSeconds = ttlSeconds
        self.expiresAt = expiresAt
    }

    /// A new bar, with a whole life from now on.
    package convenience init(session: BarSession, ttlSeconds: Int, now: WallTime) {
        self.init(
            session,
            revision: 0,
            lastSequence: 0,
            ttlSeconds: ttlSeconds,
            expiresAt: now.adding(seconds: ttlSeconds)
        )
    }

    /// The bar after a write, with a whole life from now on.
    package func next(_ session: BarSession, revision: Int, lastSequence: Int, now: WallTime) -> BarRecord {
        BarRecord(
            session,
            revision: revision,
            lastSequence: lastSequence,
            ttlSeconds: ttlSeconds,
            expiresAt: now.adding(seconds: ttlSeconds)
        )
    }

    /// The same bar with another end.
    func living(until end: WallTime) -> BarRecord {
        BarRecord(session, revision: revision, lastSequence: lastSequence, ttlSeconds: ttlSeconds, expiresAt: end)
    }

    /// A state between two events of one request, at which a segment of the log begins; it is never current, so it has
    /// no life of its own.
    init(checkpoint session: BarSession, revision: Int, lastSequence: Int) {
        self.session = session
        self.revision = revision
        self.lastSequence = lastSequence
        ttlSeconds = 0
        expiresAt = WallTime(milliseconds: 0)
    }

    /// The bytes of the object itself, without what its session refers to.
    static let byteCount = HeapBlock.object(MemoryLayout<BarSession>.stride + 4 * MemoryLayout<Int>.stride)

    /// Notes that a store keeps it, as a bar's state or as a checkpoint; returns the bytes that are kept because of it.
    func hold() -> Int { BarRecord.byteCount + session.hold() }

    /// Notes that a store has dropped it; returns the bytes that are free then.
    func release() -> Int { BarRecord.byteCount + session.release() }
}

// By hand, as a class compares; a member that is added belongs here too.
extension BarRecord: Equatable {
    package static func == (left: BarRecord, right: BarRecord) -> Bool {
        left.session == right.session && left.revision == right.revision && left.lastSequence == right.lastSequence
            && left.ttlSeconds == right.ttlSeconds && left.expiresAt == right.expiresAt
    }
}

extension WallTime {
    func adding(seconds: Int) -> WallTime {
        WallTime(milliseconds: milliseconds + seconds * 1000)
    }
}
