import HTTPExchange
import Primitives
import SharedState
import Synchronization

/// Counts the bars of each client in a shared store, up to a limit.
///
/// A creation adds its bar to those of its client before it creates it, and a deletion removes it afterwards. So a replica
/// that ends between the two steps leaves a bar that counts until its end, and never one that does not count. The
/// writes of a bar change nothing, except that one of them extends the value once an hour.
///
/// Values and bars may be on different servers. If that of the value is away, the bar does not count: the limit protects
/// the other clients, and all of them would have to wait for that server otherwise.
final class SharedClientShares: Sendable {
    private let engine: any SharedEngine
    private let limit: Int
    private let makeNonce: @Sendable () -> UInt64
    private let pause: @Sendable (Duration) async throws -> Void
    private let unreadable: @Sendable (StoredBytesError) -> BarSessionError
    /// Clients behind one proxy that is not trusted are one client, with many creations at one time.
    private let lanes = WriteLanes<SharedKey>()
    private let unfinished = Mutex<[Removal]>([])

    /// The most attempts of a write: other replicas came first at each of them.
    private static let attempts = 100
    /// The time after which a bar extends the value of its client.
    private static let renewal = 3_600_000
    /// The time for which the bars of a client at the limit, and a bar that cannot be read, are not read again.
    private static let recheck = 10_000
    /// The most reads at one time.
    private static let concurrentReads = 32
    /// The most removals that are tried again; the bars of further ones count until their end.
    private static let unfinishedRemovals = 1000

    /// - Parameters:
    ///   - engine: the shared store.
    ///   - limit: the most bars of a client; 0 for no limit, and then nothing is stored.
    ///   - makeNonce: makes random numbers, which tell the writes of the replicas apart.
    ///   - pause: waits before a write with an unknown outcome is sent again.
    ///   - unreadable: notes a value that cannot be read, and returns the error of the request.
    init(
        engine: any SharedEngine,
        limit: Int,
        makeNonce: @escaping @Sendable () -> UInt64,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        unreadable: @escaping @Sendable (StoredBytesError) -> BarSessionError
    ) {
        self.engine = engine
        self.limit = limit
        self.makeNonce = makeNonce
        self.pause = pause
        self.unreadable = unreadable
    }

    // MARK: Creating

    /// Counts a new bar; returns the share that it takes, or nil if it does not count.
    ///
    /// With `mayBeCounted`, an earlier request has possibly counted the bar.
    ///
    /// - Throws: `clientShare`, `full`, `contended` or `unavailable`.
    func take(
        _ client: ClientKey?,
        for id: BarID,
        _ record: BarRecord,
        mayBeCounted: Bool,
        _ now: WallTime
    ) async throws -> SharedBar.Share? {
        guard limit > 0, let client else { return nil }
        let share = SharedBar.Share(client: client.fingerprint, renewedAt: now)
        let bar = ClientBars.Bar(id: id, end: record.expiresAt)
        let addition = Addition(key: share.key, bar: bar, end: record.endOfShare(now), now: now)
        let isCounted = try await lanes.run(share.key) { try await add(addition, mayBeCounted: mayBeCounted) }
        return isCounted ? share : nil
    }

    /// A bar to be counted.
    private struct Addition: Sendable {
        let key: SharedKey
        let bar: ClientBars.Bar
        /// The end of the value.
        let end: WallTime
        let now: WallTime
    }

    /// Returns false if the server of the value is away.
    private func add(_ addition: Addition, mayBeCounted: Bool) async throws -> Bool {
        var mayBeCounted = mayBeCounted
        var isRepeated = false
        for _ in 0..<SharedClientShares.attempts {
            do {
                if try await attempt(addition, mayBeCounted: mayBeCounted) { return true }
            } catch SharedStateError.unavailable {
                return false
            } catch SharedStateError.unknownOutcome where !isRepeated {
                (isRepeated, mayBeCounted) = (true, true)
                try await pause(.milliseconds(50))
            } catch let error as SharedStateError {
                throw error.forBars
            } catch let error as StoredBytesError {
                throw unreadable(error)
            }
        }
        throw BarSessionError.contended
    }

    /// Returns false if another write came first.
    private func attempt(_ addition: Addition, mayBeCounted: Bool) async throws -> Bool {
        let first = ClientBars(first: addition.bar, end: addition.end)
        let life = first.timeToLive(addition.now)
        guard case .exists(let stored) = try await engine.create(addition.key, value(first), timeToLive: life) else {
            return true
        }
        let bars = try ClientBars(stored)
        if mayBeCounted || bars.needsReview(limit: limit, now: addition.now) {
            return try await review(addition, mayBeCounted: mayBeCounted)
        }
        return try await append(addition, to: bars, on: stored)
    }

    /// Adds a bar to the changes of a client without a review.
    private func append(_ addition: Addition, to bars: ClientBars, on stored: SharedValue) async throws -> Bool {
        guard bars.count < limit else { throw BarSessionError.clientShare }
        var bars = bars
        let entry = bars.add(addition.bar, end: addition.end)
        return try await store(bars, on: stored, addition.key, appending: [entry], addition.now)
    }

    /// Replaces the changes of a client by its present bars, and adds the new one if there is a place.
    ///
    /// With `mayBeCounted` the changes are read in any case, and replaced only if they need a review: a client at its limit
    /// can repeat its requests, and each of them would write the whole log.
    private func review(_ addition: Addition, mayBeCounted: Bool) async throws -> Bool {
        guard let stored = try await engine.readWithLog(addition.key) else { return false }
        let bars = try ClientBars(stored.value)
        let listed = try bars.bars(stored.log)
        if mayBeCounted, listed.contains(where: { $0.id == addition.bar.id }) { return true }
        guard bars.needsReview(limit: limit, now: addition.now) else {
            return try await append(addition, to: bars, on: stored.value)
        }
        let present = await present(listed, addition.now)
        let isAdmitted = present.count < limit
        guard
            let (next, entries) = bars.replaced(
                by: isAdmitted ? present + [addition.bar] : present,
                end: addition.end,
                notDueBefore: addition.now.later(by: SharedClientShares.recheck)
            )
        else { return false }
        let isStored = try await store(
            next,
            on: stored.value,
            addition.key,
            dropping: stored.log.count,
            appending: entries,
            addition.now
        )
        guard isAdmitted || !isStored else { throw BarSessionError.clientShare }
        return isStored
    }

    /// Returns the bars that have not ended, with their present ends.
    private func present(_ bars: [ClientBars.Bar], _ now: WallTime) async -> [ClientBars.Bar] {
        await withTaskGroup(of: (Int, ClientBars.Bar?).self) { group in
            var present: [ClientBars.Bar?] = bars
            var started = 0
            for (index, bar) in bars.enumerated() where bar.end.milliseconds <= now.milliseconds {
                if started >= SharedClientShares.concurrentReads, let (index, bar) = await group.next() {
                    present[index] = bar
                }
                group.addTask {
                    let bar = await self.present(bar, now)
                    return (index, bar)
                }
                started += 1
            }
            for await (index, bar) in group { present[index] = bar }
            return present.compactMap(\.self)
        }
    }

    private func present(_ bar: ClientBars.Bar, _ now: WallTime) async -> ClientBars.Bar? {
        do {
            guard let value = try await engine.read(bar.id.key) else { return nil }
            let end = try SharedBar(value).record.expiresAt
            return end.milliseconds > now.milliseconds ? ClientBars.Bar(id: bar.id, end: end) : nil
        } catch {
            // It is possibly there, so it counts.
            return ClientBars.Bar(id: bar.id, end: now.later(by: SharedClientShares.recheck))
        }
    }

    // MARK: Later changes

    /// A bar that is not counted any more.
    private struct Removal: Sendable {
        let share: SharedBar.Share
        let id: BarID
    }

    /// Uncounts a bar that was deleted, or not created.
    ///
    /// If that fails, such as for a client that leaves, `finishRemovals` tries it again.
    func giveBack(_ share: SharedBar.Share?, of id: BarID, _ now: WallTime) async {
        guard let share else { return }
        let isDone = await change(share) { [self] stored in
            var bars = try ClientBars(stored)
            guard bars.count > 1 else { return try await remove(id, from: bars, stored, share.key, now) }
            let entry = bars.remove(id)
            return try await store(bars, on: stored, share.key, appending: [entry], now)
        }
        if !isDone { keep([Removal(share: share, id: id)]) }
    }

    /// Tries the removals again that have failed, until one fails; called once a second.
    func finishRemovals(_ now: WallTime) async {
        var removals = unfinished.withLock { removals in
            defer { removals = [] }
            return removals
        }
        while let removal = removals.last {
            let isDone = await change(removal.share) { [self] stored in
                // A creation that is repeated with its key has possibly made the bar again.
                if try await engine.read(removal.id.key) != nil { return true }
                // The first attempt possibly had its effect, so the changes are read.
                return try await remove(removal.id, from: try ClientBars(stored), stored, removal.share.key, now)
            }
            guard isDone else { return keep(removals) }
            removals.removeLast()
        }
    }

    private func keep(_ removals: [Removal]) {
        unfinished.withLock { $0 += removals.prefix(SharedClientShares.unfinishedRemovals - $0.count) }
    }

    /// Removes a bar by all changes of its client; returns false if another write came first.
    ///
    /// The count can be too low, so the value is deleted only if its changes have no other bar.
    private func remove(
        _ id: BarID,
        from bars: ClientBars,
        _ stored: SharedValue,
        _ key: SharedKey,
        _ now: WallTime
    ) async throws -> Bool {
        var log: [[UInt8]] = []
        if bars.logged > 0 {
            guard let present = try await engine.readWithLog(key) else { return true }
            guard present.value.version == stored.version else { return false }
            log = present.log
        }
        let listed = try bars.bars(log)
        let others = listed.filter { $0.id != id }
        guard let (next, entries) = bars.replaced(by: others, end: bars.end) else {
            if case .conflict = try await engine.delete(key, base: stored.version) { return false }
            return true
        }
        guard others.count < listed.count || others.count != bars.count else { return true }
        return try await store(next, on: stored, key, dropping: log.count, appending: entries, now)
    }

    /// Whether a bar has to extend the value of its client at a write.
    func needsRenewal(_ share: SharedBar.Share?, _ now: WallTime) -> Bool {
        guard let share else { return false }
        return now.milliseconds - share.renewedAt.milliseconds > SharedClientShares.renewal
    }

    /// Extends the life of a client's value, which is long enough for one failure.
    func renew(_ share: SharedBar.Share, for record: BarRecord, _ now: WallTime) async {
        await change(share) { [self] stored in
            var bars = try ClientBars(stored)
            bars.renew(until: record.endOfShare(now))
            return try await store(bars, on: stored, share.key, appending: [], now)
        }
    }

    /// Changes the value of a client if it is stored; `body` returns false if another write came first.
    ///
    /// - Returns: whether another attempt can do no more. A value that cannot be read stays as it is.
    @discardableResult
    private func change(
        _ share: SharedBar.Share,
        _ body: @Sendable (SharedValue) async throws -> Bool
    ) async -> Bool {
        do {
            return try await lanes.run(share.key) {
                for _ in 0..<SharedClientShares.attempts {
                    guard let stored = try await engine.read(share.key) else { return true }
                    if try await body(stored) { return true }
                }
                return false
            }
        } catch {
            return error is StoredBytesError
        }
    }

    // MARK: Values

    private func value(_ bars: ClientBars) -> SharedValue { bars.value(nonce: makeNonce()) }

    /// Returns false if another write came first.
    private func store(
        _ bars: ClientBars,
        on stored: SharedValue,
        _ key: SharedKey,
        dropping: Int = 0,
        appending entries: [[UInt8]],
        _ now: WallTime
    ) async throws -> Bool {
        let write = SharedWrite(
            base: stored.version,
            value: value(bars),
            timeToLive: bars.timeToLive(now),
            dropping: dropping,
            appending: entries
        )
        return try await engine.exchange(key, write) == .done
    }
}

extension SharedBar.Share {
    /// The start of the keys in the store.
    static let prefix = "c:"

    /// The key of the client in the store.
    var key: SharedKey { SharedKey(SharedBar.Share.prefix + String(client, radix: 16)) }
}

extension BarRecord {
    /// The end of the value of a client with this bar: if the bar is written to, it extends the value within two hours.
    fileprivate func endOfShare(_ now: WallTime) -> WallTime {
        now.later(by: (2 * 3600 + ttlSeconds + 60) * 1000)
    }
}

extension WallTime {
    fileprivate func later(by milliseconds: Int) -> WallTime {
        WallTime(milliseconds: self.milliseconds + milliseconds)
    }
}

extension ClientBars {
    fileprivate func timeToLive(_ now: WallTime) -> Duration {
        .milliseconds(max(1, end.milliseconds - now.milliseconds))
    }
}
