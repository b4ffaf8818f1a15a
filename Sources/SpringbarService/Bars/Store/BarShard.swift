import BarLayout
import HTTPExchange
import Primitives

/// A part of the bars, with all that is known about them; lives under a lock.
struct BarShard: ~Copyable {
    /// One bar.
    ///
    /// A class, so that looking one up copies nothing and a growing table moves no bars.
    private final class Cell {
        let id: BarID
        var record: BarRecord
        var log = BarLog()
        let origin: BarOrigin

        init(id: BarID, record: BarRecord, origin: BarOrigin) {
            self.id = id
            self.record = record
            self.origin = origin
        }

        /// The bytes of the object itself.
        static let byteCount = HeapBlock.object(MemoryLayout<(BarID, BarRecord, BarLog, BarOrigin)>.stride)
    }

    private var slots: [BarID: SlotLists.Slot] = [:]
    private var cells: [Cell?] = []
    private var numbers = SlotNumbers()
    private var wheel: TimerWheel
    private let budget: LogBudget
    /// The bytes of the bars of each client, each bar counted as if it shared nothing.
    private let clientBytes: ClientShares

    init(budget: LogBudget, clientBytes: ClientShares, now: WallTime) {
        self.budget = budget
        self.clientBytes = clientBytes
        wheel = TimerWheel(now: now)
    }

    // MARK: Reading

    func record(of id: BarID, now: WallTime) -> BarRecord? {
        cell(id, now)?.record
    }

    func recordAndLog(of id: BarID, now: WallTime) -> (record: BarRecord, log: BarLog)? {
        cell(id, now).map { ($0.record, $0.log) }
    }

    private func cell(_ id: BarID, _ now: WallTime) -> Cell? {
        guard let slot = slots[id], let cell = cells[Int(slot)], cell.record.expiresAt.milliseconds > now.milliseconds
        else { return nil }
        return cell
    }

    // MARK: Writing

    /// Puts in a bar for which ``weight(of:from:)`` has been reserved.
    mutating func insert(_ record: BarRecord, as id: BarID, from origin: BarOrigin) {
        let slot = numbers.take()
        let cell = Cell(id: id, record: record, origin: origin)
        if Int(slot) == cells.count { cells.append(cell) } else { cells[Int(slot)] = cell }
        slots[id] = slot
        wheel.add(slot, deadline: record.expiresAt)
        // What other bars hold already is free.
        budget.add(record.hold() + BarShard.overhead(of: origin) - BarShard.weight(of: record, from: origin))
    }

    /// Puts the next record of a bar and appends to its log, unless there is no room for that or another write came
    /// first.
    ///
    /// Without `keepsLog` the log is dropped instead: a bar stays where its log has no room.
    func exchange(
        _ id: BarID,
        revision: Int,
        to record: BarRecord,
        appending addition: BarLog.Addition,
        keepsLog: Bool,
        now: WallTime
    ) -> Attempt {
        guard let cell = cell(id, now) else { return .ended(.gone) }
        guard cell.record.revision == revision else { return .ended(.conflict) }
        let previous = cell.record
        // Only tracks and the name of the view differ in size, and seldom do.
        let sharesHeap = record.session.sharesHeap(with: previous.session)
        var bound = sharesHeap ? 0 : record.session.unheldBytes
        let recordGrowth = sharesHeap ? 0 : record.session.heapBytes - previous.session.heapBytes
        if keepsLog { bound += cell.log.growthBound(appending: addition) }
        guard bound == 0 || budget.reserve(bound) else { return .needsRoom(bound) }
        guard clientBytes.move(cell.origin.client, by: recordGrowth) else {
            budget.add(-bound)
            return .ended(.clientShare)
        }
        var growth = -bound
        if keepsLog {
            growth -= cell.log.heapBytes
            let opened = cell.log.append(addition, after: previous)
            if opened > 0 {
                cell.log.enter(newest: opened) { budget.enter(id) }
                growth += opened * LogBudget.bytesPerSegment
            }
            growth += cell.log.heapBytes
        }
        if !sharesHeap { growth += record.session.hold() - previous.session.release() }
        cell.record = record
        if keepsLog { growth -= trim(cell) } else { growth -= dropLog(of: cell) }
        if growth != 0 { budget.add(growth) }
        return .ended(.done)
    }

    /// What became of a compare-and-set.
    enum Attempt: Sendable {
        case ended(BarExchange)
        /// Nothing was done: first so many bytes have to be free.
        case needsRoom(Int)
    }

    func touch(_ id: BarID, expiresAt: WallTime, now: WallTime) {
        guard let cell = cell(id, now) else { return }
        cell.record = cell.record.living(until: expiresAt)
    }

    /// Drops a bar's oldest segment, so that newer ones of others have room.
    func dropOldestSegment(of id: BarID) {
        guard let slot = slots[id], let cell = cells[Int(slot)], !cell.log.segments.isEmpty else { return }
        budget.add(-dropFirstSegment(of: cell))
    }

    /// Drops the segments of a log that are not promised; returns the bytes that are free then.
    private func trim(_ cell: Cell) -> Int {
        let before = cell.log.heapBytes
        let dropped = cell.log.trim()
        for age in dropped { budget.leave(age) }
        return before - cell.log.heapBytes + dropped.count * LogBudget.bytesPerSegment
    }

    private func dropFirstSegment(of cell: Cell) -> Int {
        let before = cell.log.heapBytes
        budget.leave(cell.log.dropFirstSegment())
        return before - cell.log.heapBytes + LogBudget.bytesPerSegment
    }

    private func dropLog(of cell: Cell) -> Int {
        var freed = 0
        while !cell.log.segments.isEmpty { freed += dropFirstSegment(of: cell) }
        return freed
    }

    /// Removes a bar if its revision is `revision`, or any for nil; returns how it was made.
    mutating func remove(_ id: BarID, revision: Int?, now: WallTime) -> (exchange: BarExchange, origin: BarOrigin?) {
        guard let cell = cell(id, now), let slot = slots[id] else { return (.gone, nil) }
        if let revision, cell.record.revision != revision { return (.conflict, nil) }
        wheel.remove(slot)
        discard(cell, slot)
        return (.done, cell.origin)
    }

    /// Removes the bars whose time is over; returns which they were and how they were made.
    mutating func expire(now: WallTime) -> [(id: BarID, origin: BarOrigin)] {
        var expired: [(BarID, BarOrigin)] = []
        for slot in wheel.advance(to: now) {
            guard let cell = cells[Int(slot)] else { continue }
            if cell.record.expiresAt.milliseconds > now.milliseconds {
                wheel.add(slot, deadline: cell.record.expiresAt)
            } else {
                discard(cell, slot)
                expired.append((cell.id, cell.origin))
            }
        }
        return expired
    }

    private mutating func discard(_ cell: Cell, _ slot: SlotLists.Slot) {
        let freed = dropLog(of: cell)
        clientBytes.giveBack(cell.origin.client, BarShard.weight(of: cell.record, from: cell.origin))
        budget.add(-freed - cell.record.release() - BarShard.overhead(of: cell.origin))
        slots[cell.id] = nil
        cells[Int(slot)] = nil
        numbers.give(slot)
    }

    // MARK: Accounting

    /// What a bar takes without its log, if it shares nothing with others.
    static func weight(of record: BarRecord, from origin: BarOrigin) -> Int {
        BarRecord.byteCount + record.session.heapBytes + overhead(of: origin)
    }

    /// What a bar takes beside its record: the cell, its places in the tables, and its key.
    private static func overhead(of origin: BarOrigin) -> Int {
        let key = origin.key.map { HeapBlock.text($0.text) + MemoryBarStore.bytesPerKey } ?? 0
        return Cell.byteCount + tableBytes + key
    }

    /// A bar's places in the tables of a shard, with the room that they have to spare on average: a table of hashes is
    /// filled to between 3/8 and 3/4, an array to between 1/2 and 1.
    private static let tableBytes = (MemoryLayout<BarID>.stride + 4) * 16 / 9 + (8 + 12) * 3 / 2
}

extension ClientShares {
    /// Takes more for a client, or gives back, by the sign of `amount`; false if the share is used up.
    fileprivate func move(_ client: ClientKey?, by amount: Int) -> Bool {
        if amount > 0 { return take(client, amount) }
        if amount < 0 { giveBack(client, -amount) }
        return true
    }
}
