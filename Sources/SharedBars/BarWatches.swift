import BarFeature
import Logging
import Primitives
import SharedState
import StoredBytes
import Synchronization

/// The bars that clients of this replica observe: their writes by all replicas go to the observers.
///
/// The store sends every write of a watched bar in order. A message is lost only with its connection. After every reconnect
/// the store sends `ready`, and the bar is read. It is also read if no message has confirmed it for ten seconds, because a
/// store that was emptied sends nothing.
///
/// **Only reads show that the store has lost writes, such as in a failover.** A read that returns a lower revision than one
/// that was seen before it began ends the streams with `reset`. A message with a lower revision is either late, because a
/// read was faster, or the first one after a loss: it is not shown, and leads to a read.
final class BarWatches: Sendable {
    private struct Watched: Sendable {
        var observers = 0
        var endWatch: (@Sendable () -> Void)?
        /// The greatest revision that was seen, and the creation of its bar.
        var revision = 0
        var creation: UInt64?
        var expiresAt: WallTime?
        var nextRead: WallTime
        /// Whether the last read did not find the bar.
        var isMissing = false

        /// Notes that the store has the bar, which is read next at its end, or when nothing has confirmed it for a while.
        mutating func confirm(_ record: BarRecord, now: WallTime) {
            revision = max(revision, record.revision)
            creation = record.creation
            expiresAt = record.expiresAt
            isMissing = false
            // The store ends the bar by its own clock, so the bar may be there for a moment longer.
            let end = max(record.expiresAt.milliseconds, now.adding(seconds: 1).milliseconds)
            let latest = now.adding(seconds: BarWatches.confirmationSeconds).milliseconds
            nextRead = WallTime(milliseconds: min(latest, end))
        }

        /// Forgets a bar that the store has lost; it is not read until something confirms it.
        mutating func forget() {
            (revision, creation, expiresAt, isMissing) = (0, nil, nil, false)
            nextRead = WallTime(milliseconds: .max)
        }

        /// Whether a record is not older than what was seen, and not of a later bar under the same id.
        func isFollowed(by record: BarRecord) -> Bool {
            record.revision >= revision && record.creation == creation ?? record.creation
        }
    }

    /// The seconds after which a bar is read if nothing has confirmed it.
    private static let confirmationSeconds = 10
    /// The greatest difference between the clocks of two replicas, in seconds.
    private static let clockDifference = 10

    private let store: any SharedStore
    private let observers: BarObservers
    private let now: @Sendable () -> WallTime
    private let logger: Logger
    private let bars = Lock<[BarID: Watched]>([:])
    /// The bars that lost their streams because the store has lost writes.
    let resets = Atomic(0)
    /// The messages and bars that could not be read.
    let unreadable = Atomic(0)
    /// Yields an element when bars are due at once; requests before the next iteration share one.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(store: any SharedStore, observers: BarObservers, now: @escaping @Sendable () -> WallTime, logger: Logger) {
        self.store = store
        self.observers = observers
        self.now = now
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var count: Int { bars.withLock(\.count) }

    /// Adds an observer of a bar; returns the function that removes it, to be called once.
    func begin(_ id: BarID) -> @Sendable () -> Void {
        let nextRead = now().adding(seconds: BarWatches.confirmationSeconds)
        let isFirst = bars.withLock { bars in
            bars[id, default: Watched(nextRead: nextRead)].observers += 1
            return bars[id]?.observers == 1
        }
        if isFirst {
            // The store is called without the lock, because it may call `receive` at once.
            let endWatch = store.watch(id.key) { [weak self] event in self?.receive(event, of: id) }
            bars.withLock { $0[id]?.endWatch = endWatch }
        }
        return { [weak self] in self?.end(id) }
    }

    private func end(_ id: BarID) {
        let endWatch = bars.withLock { bars -> (@Sendable () -> Void)? in
            bars[id]?.observers -= 1
            return bars[id]?.observers == 0 ? bars.removeValue(forKey: id)?.endWatch : nil
        }
        endWatch?()
    }

    /// Notes the record of a bar, unless it is older than what was seen or the bar is not watched; returns whether it did.
    ///
    /// A request does so with what it has read, so that the end of a bar is known from the start of its stream.
    @discardableResult
    func confirm(_ record: BarRecord, of id: BarID) -> Bool {
        let now = now()
        return bars.withLock { bars in
            guard bars[id]?.isFollowed(by: record) == true else { return false }
            bars[id]?.confirm(record, now: now)
            return true
        }
    }

    private func receive(_ event: WatchEvent, of id: BarID) {
        switch event {
        case .ready: break
        case .deleted:
            // A stream that is read slowly keeps the entry, and the idempotency key of the bar can make it again.
            bars.withLock { $0[id]?.forget() }
            return observers.end(id, reason: "deleted")
        case .written(let bytes):
            do throws(StoredBytesError) {
                let (bar, commands) = try SharedBar.message(bytes)
                if confirm(bar.record, of: id) { return observers.publish(bar.record, commands, of: id) }
            } catch {
                logUnreadable(error)
            }
        }
        let now = now()
        bars.withLock { $0[id]?.nextRead = now }
        wake.yield()
    }

    /// Counts a bar of the store, or a message about one, that cannot be read.
    func logUnreadable(_ error: any Error) {
        unreadable.add(1, ordering: .relaxed)
        logger.error("a stored bar, or a message about one, cannot be read", metadata: ["error": "\(error)"])
    }

    private static let concurrentReads = 32

    /// Reads the bars that are due, and sends their states to the observers.
    func readDueBars() async {
        let now = now()
        let due = bars.withLock { $0.filter { $0.value.nextRead.milliseconds <= now.milliseconds } }
        guard !due.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            for (index, (id, watched)) in due.enumerated() {
                if index >= BarWatches.concurrentReads { await group.next() }
                group.addTask { await self.read(id, watched) }
            }
        }
    }

    /// Reads a bar; `before` is its entry before the read.
    private func read(_ id: BarID, _ before: Watched) async {
        let now = now()
        // If the read fails, the next tick tries it again.
        bars.withLock { $0[id]?.nextRead = now.adding(seconds: 1) }
        let bytes: [UInt8]?
        let record: BarRecord?
        do throws(SharedStateError) { bytes = try await store.read(id.key) } catch { return }
        do throws(StoredBytesError) {
            record = try bytes.map(SharedBar.read)?.record
            if let record, before.isFollowed(by: record) {
                bars.withLock { $0[id]?.confirm(record, now: now) }
                return observers.publish(record, [], of: id)
            }
        } catch {
            return logUnreadable(error)
        }
        let end = before.expiresAt?.milliseconds ?? .max
        // The message about a deletion may arrive after the reply to a read. So the store has lost the bar only if it is
        // missing at the next tick, too. With an idempotency key a bar is made again under its id.
        guard bytes != nil || before.isMissing || end <= now.milliseconds else {
            return bars.withLock { $0[id]?.isMissing = true }
        }
        // The clock of the replica that wrote the end may be ahead of this one.
        let hasExpired = end <= now.adding(seconds: BarWatches.clockDifference).milliseconds
        if !hasExpired {
            resets.add(1, ordering: .relaxed)
            logger.warning("the shared store lost the last writes of a bar; the streams of the bar end")
        }
        // Later streams go on with what the store has now: a stream that is read slowly keeps the entry for a while.
        bars.withLock { bars in
            bars[id]?.forget()
            if let record { bars[id]?.confirm(record, now: now) }
        }
        // So do the streams of a bar that was made again.
        let next = record.flatMap { $0.creation == before.creation ? nil : $0.creation }
        observers.end(id, reason: hasExpired ? "expired" : "reset", except: next)
    }
}
