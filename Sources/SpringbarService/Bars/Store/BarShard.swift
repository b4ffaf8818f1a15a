import BarLayout

/// A part of the bars, with all that is known about them; lives under a lock.
struct BarShard: ~Copyable {
    /// One bar.
    ///
    /// A class, so that looking one up copies nothing and a growing table moves no bars.
    private final class Cell {
        let id: BarID
        var record: BarRecord
        var log = BarLog()
        /// Where its segments stand in the budget, oldest first.
        var ages: [SlotLists.Slot] = []
        let key: String?

        init(id: BarID, record: BarRecord, key: String?) {
            self.id = id
            self.record = record
            self.key = key
        }
    }

    private var slots: [BarID: SlotLists.Slot] = [:]
    private var cells: [Cell?] = []
    private var numbers = SlotNumbers()
    private var wheel: TimerWheel
    private let budget: LogBudget

    init(budget: LogBudget, now: WallTime) {
        self.budget = budget
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

    mutating func insert(_ record: BarRecord, as id: BarID, key: String?) {
        let slot = numbers.take()
        let cell = Cell(id: id, record: record, key: key)
        if Int(slot) == cells.count { cells.append(cell) } else { cells[Int(slot)] = cell }
        slots[id] = slot
        wheel.add(slot, deadline: record.expiresAt)
        budget.add(BarShard.weight(of: record) + (key?.utf8.count ?? 0))
    }

    func exchange(
        _ id: BarID,
        revision: Int,
        to record: BarRecord,
        appending addition: BarLog.Addition,
        now: WallTime
    ) -> Attempt {
        guard let cell = cell(id, now) else { return .ended(.gone) }
        guard cell.record.revision == revision else { return .ended(.conflict) }
        var growth = 0
        // Only tracks and the name of the view differ in size, and seldom do.
        if cell.record.session.tracks != record.session.tracks
            || cell.record.session.snapshot.scrollable.id != record.session.snapshot.scrollable.id
        {
            growth = BarShard.weight(of: record.session) - BarShard.weight(of: cell.record.session)
        }
        // A log can be dropped again, a record cannot.
        if growth > 0, budget.bytes + growth > budget.limit { return .needsRoom(growth) }
        growth -= cell.log.byteCount
        for _ in 0..<cell.log.append(addition, after: cell.record.checkpoint) {
            cell.ages.append(budget.enter(id))
            growth += BarShard.segmentWeight
        }
        cell.record = record
        growth += cell.log.byteCount
        for _ in 0..<cell.log.trim() { growth -= leaveOldest(of: cell) }
        budget.add(growth)
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
        guard let slot = slots[id], let cell = cells[Int(slot)], !cell.ages.isEmpty else { return }
        let before = cell.log.byteCount
        cell.log.dropFirstSegment()
        budget.add(cell.log.byteCount - before - leaveOldest(of: cell))
    }

    /// Takes the oldest segment of a bar off the list of ages; returns what it weighed.
    private func leaveOldest(of cell: Cell) -> Int {
        budget.leave(cell.ages.removeFirst())
        return BarShard.segmentWeight
    }

    /// Removes a bar, and says by which key it was made.
    mutating func remove(_ id: BarID, now: WallTime) -> (found: Bool, key: String?) {
        guard let cell = cell(id, now), let slot = slots[id] else { return (false, nil) }
        wheel.remove(slot)
        discard(cell, slot)
        return (true, cell.key)
    }

    /// Removes what is over, and says what that was and by which keys it was made.
    mutating func expire(now: WallTime) -> [(id: BarID, key: String?)] {
        var expired: [(BarID, String?)] = []
        for slot in wheel.advance(to: now) {
            guard let cell = cells[Int(slot)] else { continue }
            if cell.record.expiresAt.milliseconds > now.milliseconds {
                wheel.add(slot, deadline: cell.record.expiresAt)
            } else {
                discard(cell, slot)
                expired.append((cell.id, cell.key))
            }
        }
        return expired
    }

    private mutating func discard(_ cell: Cell, _ slot: SlotLists.Slot) {
        var weight = BarShard.weight(of: cell.record) + (cell.key?.utf8.count ?? 0) + cell.log.byteCount
        while !cell.ages.isEmpty { weight += leaveOldest(of: cell) }
        budget.add(-weight)
        slots[cell.id] = nil
        cells[Int(slot)] = nil
        numbers.give(slot)
    }

    // MARK: Accounting

    /// What a bar takes without its log: the cell, its places in the tables, and what it refers to.
    static func weight(of record: BarRecord) -> Int {
        BarRecord.byteCount + 160 + weight(of: record.session)
    }

    /// What a segment takes beside its bytes.
    static let segmentWeight = MemoryLayout<BarLog.Segment>.stride + 80

    private static func weight(of session: BarSession) -> Int {
        session.scrollable.id.utf8.count + session.tracks.all.reduce(0) { $0 + weight(of: $1) }
    }

    private static func weight(of track: Track) -> Int {
        var weight = MemoryLayout<Track>.stride + track.name.utf8.count
        if case .keyframes(let keyframes) = track.curve {
            weight += 32 + keyframes.points.count * MemoryLayout<Keyframe>.stride
        }
        return weight
    }
}
