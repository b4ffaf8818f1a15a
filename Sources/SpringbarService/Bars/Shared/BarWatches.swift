import Logging
import Primitives
import SharedState
import Synchronization

/// The bars that clients of this replica observe: their writes by all replicas go to the observers.
///
/// The engine sends every write of a watched bar in order, this replica's writes included. A message is lost only with its
/// connection. After every reconnect the engine sends `ready`, and the bar is read.
///
/// A bar returns to an earlier revision if the store loses writes, such as in a failover. Its observers have seen a
/// later state, so their streams end with `reset`. The loss is detected if a message has a lower revision than the
/// message before it. It is also detected if a read has a lower revision than one that was seen before the read
/// began. Reads and messages have no order relative to each other. A store that was emptied sends nothing, so a bar is
/// read if nothing has confirmed it for a while.
final class BarWatches: Sendable {
    private struct Watched: Sendable {
        /// Differs from the number of an earlier entry of the same bar.
        let number: Int
        var observers = 0
        var watch: SharedWatch?
        /// The revision of the last message.
        var messageRevision: Int?
        /// The greatest revision that was read or written by this replica.
        var readRevision: Int?
        var expiresAt: WallTime?
        /// When a message or a read last showed that the store has the bar.
        var confirmedAt: WallTime?
        /// Whether a request or a read has not found the bar since it was confirmed.
        var isMissing = false
        var check = Check.none

        /// The greatest revision that was seen.
        var seen: Int? { [messageRevision, readRevision].compactMap { $0 }.max() }

        /// Whether the bar must be read at once; with a time, also whether it is due at a tick.
        func isDue(_ now: WallTime?) -> Bool {
            guard let now else { return check == .now }
            let unconfirmedFrom = confirmedAt?.adding(seconds: BarWatches.confirmationSeconds)
            return check != .none || isPast(expiresAt, now) || isPast(unconfirmedFrom, now)
        }

        private func isPast(_ time: WallTime?, _ now: WallTime) -> Bool {
            time.map { $0.milliseconds <= now.milliseconds } ?? false
        }
    }

    /// The time after which a bar is read if nothing has confirmed it, in seconds.
    private static let confirmationSeconds = 10

    /// When a bar is to be read.
    private enum Check: Sendable {
        case none, atNextTick, now
    }

    private struct State: Sendable {
        var bars: [BarID: Watched] = [:]
        var lastNumber = 0
    }

    private let engine: any SharedEngine
    private let observers: BarObservers
    private let logger: Logger
    private let state = Mutex(State())
    private let resetCount = Atomic(0)
    private let unreadableCount = Atomic(0)
    /// Yields an element when bars must be read at once; requests before the next iteration share one.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(engine: any SharedEngine, observers: BarObservers, logger: Logger) {
        self.engine = engine
        self.observers = observers
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of bars with lost writes in the shared store, so that their streams ended.
    var resets: Int { resetCount.load(ordering: .relaxed) }

    /// The messages that could not be read.
    var unreadable: Int { unreadableCount.load(ordering: .relaxed) }

    /// The number of watched bars.
    var count: Int { state.withLock(\.bars.count) }

    // MARK: Observers

    /// Adds an observer of a bar; returns the function that removes it.
    func begin(_ id: BarID) -> @Sendable () -> Void {
        let (number, isFirst) = state.withLock { state in
            let isFirst = state.bars[id] == nil
            if isFirst { state.lastNumber += 1 }
            state.bars[id, default: Watched(number: state.lastNumber)].observers += 1
            return (state.bars[id]?.number ?? 0, isFirst)
        }
        if isFirst {
            // The engine is called without the lock, because it may call `receive` at once.
            let watch = engine.watch(id.key) { [weak self] event in self?.receive(event, of: id, number) }
            let isWanted = state.withLock { state in
                guard state.bars[id]?.number == number else { return false }
                state.bars[id]?.watch = watch
                return true
            }
            if !isWanted { engine.unwatch(watch) }
        }
        return { [weak self] in self?.end(id, number) }
    }

    private func end(_ id: BarID, _ number: Int) {
        let watch = state.withLock { state -> SharedWatch? in
            guard var bar = state.bars[id], bar.number == number else { return nil }
            bar.observers -= 1
            state.bars[id] = bar.observers == 0 ? nil : bar
            return bar.observers == 0 ? bar.watch : nil
        }
        if let watch { engine.unwatch(watch) }
    }

    // MARK: Messages

    private func receive(_ event: SharedEvent, of id: BarID, _ number: Int) {
        switch event {
        case .ready: check(id, .now, number)
        case .deleted: if isWatched(id, number) { observers.end(id, reason: "deleted") }
        case .written(let bytes):
            do throws(StoredBytesError) {
                let (bar, commands) = try SharedBar.message(bytes)
                receive(bar, commands, of: id, number)
            } catch {
                unreadableCount.add(1, ordering: .relaxed)
                logger.error("a message about a bar cannot be read", metadata: ["error": "\(error)"])
                check(id, .now, number)
            }
        }
    }

    private func receive(_ bar: SharedBar, _ commands: [NumberedCommand], of id: BarID, _ number: Int) {
        let revision = bar.record.revision
        let now = engine.now
        let isBack = state.withLock { state -> Bool? in
            guard var watched = state.bars[id], watched.number == number else { return nil }
            let isBack = revision < watched.messageRevision ?? 0
            // Either a read was faster than this message, or the store lost writes: the read at the next tick decides.
            if revision < watched.readRevision ?? 0, watched.check == .none { watched.check = .atNextTick }
            watched.messageRevision = revision
            if isBack { watched.readRevision = revision }
            watched.expiresAt = bar.record.expiresAt
            watched.confirmedAt = now
            watched.isMissing = false
            state.bars[id] = watched
            return isBack
        }
        guard let isBack else { return }
        if isBack { reset(id) } else { observers.publish(bar.record, commands, of: id) }
    }

    private func isWatched(_ id: BarID, _ number: Int) -> Bool {
        state.withLock { $0.bars[id]?.number == number }
    }

    private func check(_ id: BarID, _ check: Check, _ number: Int) {
        let isWatched = state.withLock { state in
            guard state.bars[id]?.number == number else { return false }
            state.bars[id]?.check = check
            return true
        }
        if isWatched, check == .now { wake.yield() }
    }

    // MARK: Reads and writes of this replica

    /// Returns the greatest revision of a watched bar that was seen so far; nil for none.
    func shown(_ id: BarID) -> Int? {
        state.withLock { $0.bars[id]?.seen }
    }

    /// Notes a state that was read or written; `shown` is the greatest revision that was seen before the read began.
    func saw(_ bar: SharedBar, of id: BarID, after shown: Int?) {
        let revision = bar.record.revision
        let now = engine.now
        let isBack = state.withLock { state in
            guard var watched = state.bars[id] else { return false }
            let isBack = revision < shown ?? 0
            watched.readRevision = isBack ? revision : max(watched.readRevision ?? 0, revision)
            if isBack { watched.messageRevision = nil }
            watched.expiresAt = bar.record.expiresAt
            watched.confirmedAt = now
            watched.isMissing = false
            state.bars[id] = watched
            return isBack
        }
        if isBack { reset(id) }
    }

    /// Notes that a bar is not in the store: it was deleted or has ended, or the store lost it.
    func missed(_ id: BarID) {
        state.withLock { state in
            state.bars[id]?.isMissing = true
            if state.bars[id]?.check == Check.none { state.bars[id]?.check = .atNextTick }
        }
    }

    private func reset(_ id: BarID) {
        resetCount.add(1, ordering: .relaxed)
        logger.warning("the shared store lost the last writes of a bar; the streams of the bar end")
        observers.end(id, reason: "reset")
    }

    // MARK: Healing

    /// The most reads at one time.
    private static let concurrentReads = 32

    /// Reads the bars that must be read at once; with a time, also those that are due at a tick.
    func heal(at now: WallTime? = nil) async {
        let ids = state.withLock { state in
            let due = state.bars.filter { $0.value.isDue(now) }.map(\.key)
            for id in due { state.bars[id]?.check = .none }
            return due
        }
        guard !ids.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            for (index, id) in ids.enumerated() {
                if index >= BarWatches.concurrentReads { await group.next() }
                group.addTask { await self.heal(id) }
            }
        }
    }

    /// Reads a bar, and sends its state to the observers.
    private func heal(_ id: BarID) async {
        guard let before = state.withLock({ $0.bars[id] }) else { return }
        do {
            let value = try await engine.read(id.key)
            let hasExpired = before.expiresAt.map { $0.milliseconds <= engine.now.milliseconds } ?? false
            guard let value else {
                if hasExpired { return observers.end(id, reason: "expired") }
                // The message about a deletion may arrive after the reply to a read. So the store has lost the bar only
                // if the bar is missing at the next tick, too.
                return before.isMissing ? reset(id) : missed(id)
            }
            let bar = try SharedBar(value)
            let isNew = hasExpired && bar.record.revision < before.seen ?? 0
            guard !isNew, bar.record.expiresAt.milliseconds > engine.now.milliseconds else {
                return observers.end(id, reason: "expired")
            }
            saw(bar, of: id, after: before.seen)
            observers.publish(bar.record, [], of: id)
        } catch {
            check(id, .atNextTick, before.number)
        }
    }
}
