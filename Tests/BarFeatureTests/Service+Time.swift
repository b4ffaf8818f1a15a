import HTTPExchange
import Primitives
import ServiceHarness
import TestSupport
import Testing

@testable import BarFeature
@testable import SharedBars

extension Service {
    /// Ends the bars that have expired, and their streams; a shared store does its work of a second.
    func expire() {
        sessions.expire()
        guard let store = sessions.store as? SharedBarStore else { return }
        readDueBars()
        do { try waiting { await store.shares.resend() } } catch { Issue.record(error) }
    }

    /// Reads the watched bars of a shared store that are due.
    func readDueBars() {
        guard let store = sessions.store as? SharedBarStore else { return }
        do { try waiting { await store.watches.readDueBars() } } catch { Issue.record(error) }
    }

    /// The number of bars that are watched in the shared store.
    var watchedBars: Int { (sessions.store as? SharedBarStore)?.watches.count ?? 0 }

    /// The counters of the shared store.
    var counters: SharedStoreStatus {
        // `!`: a shared store has them.
        sessions.store.shared!
    }

    /// Asks for a stream of a bar, and drops it; returns whether it was promised.
    func promisesStream(of path: String) throws -> Bool {
        let id = try BarID(path: path)
        let account = MemoryAccount(.unlimited)
        if case .later = try sessions.observe(id, lastEventID: nil, withCommands: false, account: account) {
            return true
        }
        return false
    }

    /// Reads a bar with its log.
    func readLog(_ id: BarID, memory: RequestMemory) throws { _ = try sessions.loadWithLog(id, memory).waited }

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
