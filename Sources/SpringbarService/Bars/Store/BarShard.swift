import BarLayout
import HTTPExchange
import Primitives

/// A part of the bars with their logs; the store protects each shard by a lock.
struct BarShard: ~Copyable {
    /// A bar.
    ///
    /// It is an object, so a look-up copies nothing, and a growing table moves no bars.
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

        /// The bytes of the object.
        static let byteCount = HeapBlock.object(MemoryLayout<(BarID, BarRecord, BarLog, BarOrigin)>.stride)
    }

    private var slots: [BarID: SlotLists.Slot] = [:]
    private var cells: [Cell?] = []
    private var numbers = SlotNumbers()
    private var wheel: TimerWheel
    private let budget: LogBudget
    /// The bytes of each client's bars; a bar counts in full, even if it shares memory with others.
    private let clientBytes: ClientShares

    init(budget: LogBudget, clientBytes: ClientShares, now: WallTime) {
        self.budget = budget
        self.clientBytes = clientBytes
        wheel = TimerWheel(now: now)
    }

    // MARK: Reading

    /// The record of a bar, and its slot, with which a write needs no second look-up.
    struct Found: Sendable {
        let record: BarRecord
        fileprivate let slot: SlotLists.Slot
    }

    /// Returns the record of a bar; nil if there is none or it has expired.
    func find(_ id: BarID, now: WallTime) -> Found? {
        guard let slot = slots[id], let cell = cell(id, in: slot, now) else { return nil }
        return Found(record: cell.record, slot: slot)
    }

    /// Returns the record and the log of a bar; nil if there is none or it has expired.
    func findWithLog(_ id: BarID, now: WallTime) -> (found: Found, log: BarLog)? {
        guard let slot = slots[id], let cell = cell(id, in: slot, now) else { return nil }
        return (Found(record: cell.record, slot: slot), cell.log)
    }

    private func cell(_ id: BarID, _ now: WallTime) -> Cell? {
        slots[id].flatMap { cell(id, in: $0, now) }
    }

    /// Returns the cell in a slot if it is still that of a bar which has not expired; a slot is used again.
    private func cell(_ id: BarID, in slot: SlotLists.Slot, _ now: WallTime) -> Cell? {
        guard let cell = cells[Int(slot)], cell.id == id, cell.record.expiresAt.milliseconds > now.milliseconds
        else { return nil }
        return cell
    }

    // MARK: Writing

    /// Inserts a bar, for which the caller has reserved ``weight(of:from:)``.
    mutating func insert(_ record: BarRecord, as id: BarID, from origin: BarOrigin) {
        let slot = numbers.take()
        let cell = Cell(id: id, record: record, origin: origin)
        if Int(slot) == cells.count { cells.append(cell) } else { cells[Int(slot)] = cell }
        slots[id] = slot
        wheel.add(slot, deadline: record.expiresAt)
        // Bytes that other bars hold already are not charged again.
        budget.add(record.hold() + BarShard.overhead(of: origin) - BarShard.weight(of: record, from: origin))
    }

    /// Stores the next record of a bar and appends to its log, if the stored revision is still that of `found`.
    ///
    /// Without `keepsLog` the log is dropped: a bar remains even if there is no memory for its log.
    func replace(
        _ found: Found,
        of id: BarID,
        by record: BarRecord,
        appending addition: BarLog.Addition,
        keepsLog: Bool,
        now: WallTime
    ) -> Replacement {
        guard let cell = cell(id, in: found.slot, now) else { return .notFound }
        let previous = cell.record
        guard previous.revision == found.record.revision else { return .conflict }
        // Only the tracks and the id of the view vary in size, and they seldom change.
        let sharesHeap = record.sharesHeap(with: previous)
        let recordGrowth = sharesHeap ? 0 : record.session.heapBytes - previous.session.heapBytes
        let bound =
            (sharesHeap ? 0 : record.session.unheldBytes)
            + (keepsLog ? cell.log.growthBound(appending: addition) : 0)
        guard bound == 0 || budget.reserve(bound) else { return .needsBytes(bound) }
        guard clientBytes.move(cell.origin.client, by: recordGrowth) else {
            budget.add(-bound)
            return .clientShare
        }
        let logGrowth = keepsLog ? append(addition, after: previous, to: cell) : -dropLog(of: cell)
        let growth = logGrowth + (sharesHeap ? 0 : record.session.hold() - previous.session.release())
        cell.record = record
        if growth != bound { budget.add(growth - bound) }
        return .done
    }

    /// Appends to the log of a bar; returns the bytes by which the log has grown.
    private func append(_ addition: BarLog.Addition, after previous: BarRecord, to cell: Cell) -> Int {
        let before = cell.log.heapBytes
        let opened = cell.log.append(addition, after: previous)
        if opened > 0 { cell.log.setAges(ofNewest: opened) { budget.append(cell.id) } }
        return cell.log.heapBytes - before + opened * LogBudget.bytesPerSegment - trim(cell)
    }

    /// The result of a write.
    enum Replacement: Sendable {
        case done
        /// The stored revision is another one.
        case conflict
        /// The bar does not exist or has expired.
        case notFound
        /// The client's share of the bytes is used up.
        case clientShare
        /// The budget lacks this number of bytes. Nothing was written.
        case needsBytes(Int)
    }

    /// Sets the end of a bar.
    func touch(_ id: BarID, expiresAt: WallTime, now: WallTime) {
        guard let cell = cell(id, now) else { return }
        cell.record = cell.record.expiring(at: expiresAt)
    }

    /// Drops the oldest segment of a bar's log, if there is one.
    func dropOldestSegment(of id: BarID) {
        guard let slot = slots[id], let cell = cells[Int(slot)], !cell.log.segments.isEmpty else { return }
        budget.add(-dropFirstSegment(of: cell))
    }

    /// Drops the segments of a log that are not promised; returns the bytes that were released.
    private func trim(_ cell: Cell) -> Int {
        let before = cell.log.heapBytes
        let dropped = cell.log.trim()
        for age in dropped { budget.remove(age) }
        return before - cell.log.heapBytes + dropped.count * LogBudget.bytesPerSegment
    }

    private func dropFirstSegment(of cell: Cell) -> Int {
        let before = cell.log.heapBytes
        budget.remove(cell.log.dropFirstSegment())
        return before - cell.log.heapBytes + LogBudget.bytesPerSegment
    }

    private func dropLog(of cell: Cell) -> Int {
        var freed = 0
        while !cell.log.segments.isEmpty { freed += dropFirstSegment(of: cell) }
        return freed
    }

    /// Removes a bar if its revision is still that of `found`; returns its origin then.
    mutating func remove(_ id: BarID, _ found: Found, now: WallTime) -> (result: Replacement, origin: BarOrigin?) {
        guard let cell = cell(id, in: found.slot, now) else { return (.notFound, nil) }
        guard cell.record.revision == found.record.revision else { return (.conflict, nil) }
        wheel.remove(found.slot)
        discard(cell, found.slot)
        return (.done, cell.origin)
    }

    /// Removes the bars that have expired; returns them with their origins.
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

    /// Returns the bytes of a bar without its log, if it shares none with others.
    static func weight(of record: BarRecord, from origin: BarOrigin) -> Int {
        BarRecord.byteCount + record.session.heapBytes + overhead(of: origin)
    }

    /// The bytes of a bar beside its record: the cell, the entries in the tables, and its key.
    private static func overhead(of origin: BarOrigin) -> Int {
        let key = origin.key.map { HeapBlock.text($0.text) + MemoryBarStore.bytesPerKey } ?? 0
        return Cell.byteCount + tableBytes + key
    }

    /// The bytes of a bar in the tables of a shard, with their average unused capacity: a hash table is filled to between
    /// 3/8 and 3/4, an array to between 1/2 and 1.
    private static let tableBytes = (MemoryLayout<BarID>.stride + 4) * 16 / 9 + (8 + 12) * 3 / 2
}

extension ClientShares {
    /// Takes bytes of a client's share, or returns them if `amount` is negative; false if the share is used up.
    fileprivate func move(_ client: ClientKey?, by amount: Int) -> Bool {
        if amount > 0 { return take(client, amount) }
        if amount < 0 { giveBack(client, -amount) }
        return true
    }
}
