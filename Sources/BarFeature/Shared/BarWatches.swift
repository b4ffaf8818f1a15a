import Logging
import Primitives
import SharedState
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
        /// Differs from the number of an earlier entry of the same bar.
        let number: Int
        var observers = 0
        /// Ends the watch; nil until it has begun.
        var endWatch: (@Sendable () -> Void)?
        /// The greatest revision that was seen, and the creation of its bar.
        var revision = 0
        var creation: UInt64?
        var expiresAt: WallTime?
        /// When the bar is to be read.
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
    private let lastNumber = Atomic(0)
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

    /// Adds an observer of a bar; returns the function that removes it.
    func begin(_ id: BarID) -> @Sendable () -> Void {
        let nextRead = now().adding(seconds: BarWatches.confirmationSeconds)
        let next = lastNumber.add(1, ordering: .relaxed).newValue
        let number = bars.withLock { bars in
            var bar = bars[id] ?? Watched(number: next, nextRead: nextRead)
            bar.observers += 1
            bars[id] = bar
            return bar.number
        }
        if number == next {
            // The store is called without the lock, because it may call `receive` at once.
            let endWatch = store.watch(id.key) { [weak self] event in self?.receive(event, of: id, number) }
            let isWanted = change(id, number) { $0.endWatch = endWatch }
            if !isWanted { endWatch() }
        }
        return { [weak self] in self?.end(id, number) }
    }

    /// Notes a bar that was read for a request, so that the end of a bar is known from the start of its stream.
    func confirm(_ record: BarRecord, of id: BarID) {
        let now = now()
        bars.withLock { bars in
            guard var watched = bars[id], watched.isFollowed(by: record) else { return }
            watched.confirm(record, now: now)
            bars[id] = watched
        }
    }

    private func end(_ id: BarID, _ number: Int) {
        let endWatch = bars.withLock { bars -> (@Sendable () -> Void)? in
            guard var bar = bars[id], bar.number == number else { return nil }
            bar.observers -= 1
            bars[id] = bar.observers == 0 ? nil : bar
            return bar.observers == 0 ? bar.endWatch : nil
        }
        endWatch?()
    }

    /// Changes the entry of a bar; returns false if it is not watched any more.
    @discardableResult
    private func change(_ id: BarID, _ number: Int, _ body: (inout sending Watched) -> Void) -> Bool {
        bars.withLock { bars in
            guard var watched = bars[id], watched.number == number else { return false }
            body(&watched)
            bars[id] = watched
            return true
        }
    }

    private func receive(_ event: WatchEvent, of id: BarID, _ number: Int) {
        switch event {
        case .ready: break
        case .deleted:
            if change(id, number, { _ in }) { observers.end(id, reason: "deleted") }
            return
        case .written(let bytes):
            do throws(StoredBytesError) {
                let (bar, commands) = try SharedBar.message(bytes)
                let now = now()
                var isNew = false
                change(id, number) { watched in
                    isNew = watched.isFollowed(by: bar.record)
                    if isNew { watched.confirm(bar.record, now: now) }
                }
                if isNew { return observers.publish(bar.record, commands, of: id) }
            } catch {
                logUnreadable(error)
            }
        }
        let now = now()
        if change(id, number, { $0.nextRead = now }) { wake.yield() }
    }

    private func logUnreadable(_ error: StoredBytesError) {
        unreadable.add(1, ordering: .relaxed)
        logger.error("a message about a bar, or the bar, cannot be read", metadata: ["error": "\(error)"])
    }

    /// Reads the bars that are due until it is cancelled: after every reconnect, and once a second.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.wakes { await self.readDueBars() } }
            while !Task.isCancelled {
                await readDueBars()
                try? await Task.sleep(for: .seconds(1))
            }
            group.cancelAll()
        }
    }

    /// The most reads at one time.
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
        change(id, before.number) { $0.nextRead = now.adding(seconds: 1) }
        let bytes: [UInt8]?
        do throws(SharedStateError) { bytes = try await store.read(id.key) } catch { return }
        // The clock of the replica that wrote the end may be ahead of this one.
        let latest = now.adding(seconds: BarWatches.clockDifference).milliseconds
        let isOver = before.expiresAt.map { $0.milliseconds <= latest } ?? false
        guard let bytes else {
            // The message about a deletion may arrive after the reply to a read. So the store has lost the bar only if it
            // is missing at the next tick, too.
            let isPast = before.expiresAt.map { $0.milliseconds <= now.milliseconds } ?? false
            guard isPast || before.isMissing else {
                change(id, before.number) { $0.isMissing = true }
                return
            }
            return isOver ? observers.end(id, reason: "expired") : reset(id)
        }
        let bar: SharedBar
        do throws(StoredBytesError) { bar = try SharedBar.read(bytes) } catch { return logUnreadable(error) }
        guard before.isFollowed(by: bar.record) else {
            // With an idempotency key a bar is made again under its id.
            return isOver ? observers.end(id, reason: "expired") : reset(id)
        }
        change(id, before.number) { $0.confirm(bar.record, now: now) }
        observers.publish(bar.record, [], of: id)
    }

    private func reset(_ id: BarID) {
        resets.add(1, ordering: .relaxed)
        logger.warning("the shared store lost the last writes of a bar; the streams of the bar end")
        observers.end(id, reason: "reset")
    }
}
