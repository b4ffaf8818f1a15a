import BarLayout
import SharedState
import Synchronization

/// The limits of bars in a shared store, by the usage that the store reported last.
///
/// All replicas see the same usage, up to a second late. Above a first share of the store's memory, writers keep
/// shorter logs. Above a second one, creations are refused, so that existing bars can still be changed.
final class SharedBarLimits: Sendable {
    /// The part of the memory from which logs are short.
    private static let shortLogs = 0.8
    /// The part of the memory from which creations are refused.
    private static let noCreations = 0.9

    private let maxSessions: Int
    private let usage = Mutex(SharedUsage(keys: 0, bytes: 0, maxBytes: nil))
    /// The creations of this replica since the last report, less the deletions.
    private let created = Atomic(0)

    init(maxSessions: Int) {
        self.maxSessions = maxSessions
    }

    /// Notes a report of the store.
    func note(_ usage: SharedUsage) {
        self.usage.withLock { $0 = usage }
        created.store(0, ordering: .relaxed)
    }

    /// Counts a creation until the next report includes it.
    func countCreation() {
        created.add(1, ordering: .relaxed)
    }

    /// Counts a deletion until the next report reflects it.
    func countDeletion() {
        created.subtract(1, ordering: .relaxed)
    }

    /// Whether a new bar may be created.
    var admitsCreation: Bool {
        usage.withLock(\.memoryShare) < SharedBarLimits.noCreations
    }

    /// The number of events that the log of a bar keeps.
    var promisedEvents: Int {
        let share = usage.withLock(\.memoryShare)
        return share < SharedBarLimits.shortLogs ? BarLog.promisedEvents : BarLog.spareEvents
    }

    var statistics: BarStatistics {
        let usage = usage.withLock { $0 }
        return BarStatistics(
            sessions: max(0, usage.keys + created.load(ordering: .relaxed)),
            maxSessions: maxSessions,
            bytes: usage.bytes,
            maxBytes: usage.maxBytes ?? 0
        )
    }
}
