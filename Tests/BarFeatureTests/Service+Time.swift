import ServiceHarness
import TestSupport
import Testing

@testable import BarFeature

extension Service {
    /// Ends the bars that have expired, and their streams; a shared store does its work of a second.
    func expire() {
        sessions.expire()
        guard let store = sessions.store as? SharedBarStore else { return }
        do {
            try waiting {
                await store.watches.readDueBars()
                await store.shares.resend()
            }
        } catch {
            Issue.record(error)
        }
    }
}

extension Service {
    /// The number and the size of the bars; a shared store knows no sizes.
    var statistics: BarStatistics {
        sessions.store.statistics ?? BarStatistics(sessions: sessionCount, maxSessions: 0, bytes: 0, maxBytes: 0)
    }
}

extension BarSessions {
    /// Ends the expired bars of a store in memory, and their streams.
    func expire() {
        (store as? MemoryBarStore)?.expire(now: now())
    }
}
