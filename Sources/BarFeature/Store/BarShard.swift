import Primitives

/// A part of the bars; the store protects each shard by a lock.
///
/// It copies the bytes of a bar in and out, and compares versions. Bytes are decoded and encoded without its lock.
struct BarShard: ~Copyable {
    private var blocks: [BarID: BarBlock] = [:]
    private let memory: BarMemory
    /// The number of creations so far.
    private var creations: UInt64 = 0

    init(memory: BarMemory) {
        self.memory = memory
    }

    deinit {
        for block in blocks.values { block.free() }
    }

    /// The bytes of a bar in the table, which is filled to between 3/8 and 3/4.
    private static let tableBytes = (MemoryLayout<BarID>.stride + MemoryLayout<BarBlock>.stride) * 16 / 9

    // MARK: Reading

    /// The bytes of a record with its version.
    struct StoredRecord: Sendable {
        let version: BarVersion
        let bytes: [UInt8]
    }

    /// The bytes of a log.
    struct StoredLog: Sendable {
        let origin: [UInt8]
        let entries: [UInt8]
    }

    /// Returns the record of a bar; nil if there is none or it has expired.
    func record(of id: BarID, now: WallTime) -> StoredRecord? {
        block(id, at: now).map { StoredRecord(version: $0.version, bytes: $0.record) }
    }

    /// Returns the record and the log of a bar; nil if there is none or it has expired.
    func recordAndLog(of id: BarID, now: WallTime) -> (record: StoredRecord, log: StoredLog)? {
        block(id, at: now).map { block in
            (
                StoredRecord(version: block.version, bytes: block.record),
                StoredLog(origin: block.origin, entries: block.entries)
            )
        }
    }

    private func block(_ id: BarID, at now: WallTime) -> BarBlock? {
        guard let block = blocks[id], block.expiresAt.milliseconds > now.milliseconds else { return nil }
        return block
    }

    // MARK: Writing

    /// Inserts a bar; returns the expired one under this id, if it was still there.
    ///
    /// - Throws: `full` or `clientShare`; nothing is removed then.
    mutating func insert(
        _ end: borrowing BarEnd,
        as id: BarID,
        client: ClientKey?
    ) throws(BarSessionError) -> Removed? {
        creations += 1
        let content = BarBlock.Content(version: BarVersion(creation: creations, revision: 0))
        let capacity = content.capacity(with: end)
        try memory.reserve(capacity + BarShard.tableBytes, for: client)
        // A key can make a bar again before the expired one is removed.
        let expired = blocks[id].map { discard($0, id) }
        blocks[id] = BarBlock(content, end, client: client?.bits, capacity: capacity)
        return expired
    }

    /// A write, but for its bytes.
    struct Write: Sendable {
        /// The version that the bar must have.
        let base: BarVersion
        let revision: Int
        let log: LogWrite
    }

    /// The change of a log by a write, before its entries are appended.
    enum LogWrite: Sendable {
        case keep
        /// The log gets another origin instead of its first bytes.
        case begin(origin: [UInt8], dropping: Int)
        /// The log ends.
        case drop
    }

    /// The result of a write.
    enum Outcome: Sendable {
        case done
        /// The stored version is another one.
        case conflict
        /// The bar does not exist or has expired.
        case notFound
    }

    /// Stores the next record of a bar, and changes its log, if the version is still that on which the write is based.
    ///
    /// `end` has the entries to append, and the record.
    ///
    /// - Throws: `full` or `clientShare`; the bar is as it was then.
    mutating func replace(
        _ id: BarID,
        by write: Write,
        _ end: borrowing BarEnd,
        now: WallTime
    ) throws(BarSessionError) -> Outcome {
        guard let block = block(id, at: now) else { return .notFound }
        guard block.version == write.base else { return .conflict }
        var content = BarBlock.Content(version: block.version)
        content.version.revision = write.revision
        switch write.log {
        case .keep:
            if block.append(end, revision: write.revision) { return .done }
            content.origin = block.origin[...]
            content.entries = block.entries[...]
        case .begin(let origin, let dropping):
            content.origin = origin[...]
            content.entries = block.entries.dropFirst(dropping)
        case .drop: break
        }
        let capacity = content.capacity(with: end)
        try memory.reserve(capacity - block.capacity, for: block.client.map { ClientKey(bits: $0) })
        blocks[id] = BarBlock(content, end, client: block.client, capacity: capacity)
        block.free()
        return .done
    }

    /// Returns the end of a bar; nil if there is none or it has expired.
    func end(of id: BarID, now: WallTime) -> WallTime? { block(id, at: now)?.expiresAt }

    // MARK: Ending

    /// A bar that was removed.
    struct Removed: Sendable {
        let id: BarID
        /// The client whose share it took.
        let client: ClientKey?
    }

    /// Removes a bar if it has the version `base`; returns it then.
    mutating func remove(_ id: BarID, base: BarVersion, now: WallTime) -> (outcome: Outcome, removed: Removed?) {
        guard let block = block(id, at: now) else { return (.notFound, nil) }
        guard block.version == base else { return (.conflict, nil) }
        return (.done, discard(block, id))
    }

    /// Removes the bars that have expired; returns them.
    mutating func expire(now: WallTime) -> [Removed] {
        let expired = blocks.filter { $0.value.expiresAt.milliseconds <= now.milliseconds }
        return expired.map { discard($0.value, $0.key) }
    }

    private mutating func discard(_ block: BarBlock, _ id: BarID) -> Removed {
        let client = block.client.map { ClientKey(bits: $0) }
        memory.release(block.capacity + BarShard.tableBytes, of: client)
        blocks[id] = nil
        block.free()
        return Removed(id: id, client: client)
    }
}
