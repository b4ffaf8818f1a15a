package import BarLayout

/// A bar as a store keeps it, all of it a value.
package struct BarRecord: Sendable, Equatable {
    package var session: BarSession
    /// Grows by one with every event and every change of the tracks; what compare-and-set compares.
    package var revision = 0
    /// The number of the last event; 0 before the first.
    package var lastSequence = 0
    /// How long the bar lives after a write, in seconds.
    package let ttlSeconds: Int
    package var expiresAt: WallTime

    package init(session: BarSession, ttlSeconds: Int, now: WallTime) {
        self.session = session
        self.ttlSeconds = ttlSeconds
        expiresAt = now.adding(seconds: ttlSeconds)
    }

    /// The state, for a log that begins here.
    var checkpoint: BarLog.Checkpoint {
        BarLog.Checkpoint(session: session, revision: revision, sequence: lastSequence)
    }
}

extension WallTime {
    func adding(seconds: Int) -> WallTime {
        WallTime(milliseconds: milliseconds + seconds * 1000)
    }
}
