import Primitives

/// A part of the bars; the store protects each shard by a lock.
///
/// It decodes bars, compares versions, and stores bytes that were encoded without its lock. A bar that has expired is
/// `notFound`, whether it was removed or not.
struct BarShard: ~Copyable {
    private var blocks: [BarID: BarBlock] = [:]
    private let quota: BarQuota
    /// The number of bars that were made again under their ids.
    private var repeatedCreations: UInt64 = 0

    init(quota: BarQuota) {
        self.quota = quota
    }

    deinit {
        for block in blocks.values { block.free() }
    }

    /// The bytes of a bar in the table, which is filled to between 3/8 and 3/4.
    private static let tableBytes = (MemoryLayout<BarID>.stride + MemoryLayout<BarBlock>.stride) * 16 / 9

    private func block(_ id: BarID, at now: WallTime) throws(BarSessionError) -> BarBlock {
        guard let block = blocks[id], block.expiresAt.milliseconds > now.milliseconds else { throw .notFound }
        return block
    }

    /// The version of a bar, and the extent of its log.
    struct Base: Sendable {
        let version: BarVersion
        let extent: LogExtent
    }

    /// Returns a bar; throws `notFound` or `StoredBytesError`.
    func bar(_ id: BarID, now: WallTime) throws -> (record: BarRecord, base: Base) {
        let block = try block(id, at: now)
        let version = block.version
        return try ByteReader.read(block.record) { (reader: consuming ByteReader) throws(StoredBytesError) in
            var (record, extent) = try reader.record(revision: version.revision)
            record.creation = version.creation
            return (record, Base(version: version, extent: extent))
        }
    }

    /// Returns a bar and its log; throws as ``bar(_:now:)``.
    func barAndLog(_ id: BarID, now: WallTime) throws -> (record: BarRecord, base: Base, log: BarLog) {
        let (record, base) = try bar(id, now: now)
        let block = try block(id, at: now)
        let log = try BarLog(origin: block.origin, entries: block.entries, lastSequence: record.lastSequence)
        return (record, base, log)
    }

    /// Returns a bar as its creation; throws `notFound`.
    func created(_ id: BarID, now: WallTime) throws(BarSessionError) -> CreatedBar {
        let block = try block(id, at: now)
        return CreatedBar(id: id, creation: block.version.creation, expiresAt: block.expiresAt)
    }

    /// Inserts a bar, and makes it again if `isRepeated`; throws `full` or `clientShare`.
    mutating func insert(
        _ end: borrowing BarEnd,
        as id: BarID,
        client: ClientKey?,
        isRepeated: Bool
    ) throws(BarSessionError) -> CreatedBar {
        if isRepeated { repeatedCreations += 1 }
        let creation = isRepeated ? repeatedCreations : 0
        let content = BarBlock.Content(version: BarVersion(creation: creation, revision: 0))
        let capacity = content.capacity(with: end)
        try quota.addBar(capacity + BarShard.tableBytes, of: client)
        // A key can make a bar again before the expired one is removed.
        let expired = blocks[id]
        if let expired { discard(expired, id) }
        blocks[id] = BarBlock(content, end, client: client, capacity: capacity)
        return CreatedBar(id: id, creation: creation, replacesExpired: expired != nil)
    }

    /// The change of a log by a write, before its entries are appended.
    enum LogWrite: Sendable {
        case keep
        /// The log gets another origin instead of its first bytes.
        case begin(origin: [UInt8], dropping: Int)
        /// The log ends.
        case drop
    }

    /// Stores the next record of a bar, and changes its log; returns false if the version is not `base`.
    ///
    /// - Throws: `notFound`, `full` or `clientShare`; the bar is as it was then.
    mutating func replace(
        _ id: BarID,
        base: BarVersion,
        revision: Int,
        _ end: borrowing BarEnd,
        log: LogWrite,
        now: WallTime
    ) throws(BarSessionError) -> Bool {
        let block = try block(id, at: now)
        guard block.version == base else { return false }
        if case .keep = log, block.append(end, revision: revision) { return true }
        var content = BarBlock.Content(version: BarVersion(creation: base.creation, revision: revision))
        switch log {
        case .keep:
            content.origin = block.origin[...]
            content.entries = block.entries[...]
        case .begin(let origin, let dropping):
            content.origin = origin[...]
            content.entries = block.entries.dropFirst(dropping)
        case .drop: break
        }
        let capacity = content.capacity(with: end)
        try quota.reserve(capacity - block.capacity, for: block.client)
        blocks[id] = BarBlock(content, end, client: block.client, capacity: capacity)
        block.free()
        return true
    }

    /// Removes a bar; returns false if the version is not `base`; throws `notFound`.
    mutating func remove(_ id: BarID, base: BarVersion, now: WallTime) throws(BarSessionError) -> Bool {
        let block = try block(id, at: now)
        guard block.version == base else { return false }
        discard(block, id)
        return true
    }

    mutating func expire(now: WallTime) -> [BarID] {
        let expired = blocks.filter { $0.value.expiresAt.milliseconds <= now.milliseconds }
        for (id, block) in expired { discard(block, id) }
        return Array(expired.keys)
    }

    /// Ends the bars with the earliest last write, if that was before `limit`: a sixteenth of the shard's bytes, and one at least.
    mutating func endIdle(before limit: WallTime) -> [BarID] {
        var idle: [(id: BarID, block: BarBlock, lastWrite: Int)] = []
        var rest = 0
        for (id, block) in blocks {
            rest += block.capacity
            let lastWrite = block.lastWrite
            if lastWrite < limit.milliseconds { idle.append((id, block, lastWrite)) }
        }
        rest /= 16
        idle.sort { $0.lastWrite < $1.lastWrite }
        var ended: [BarID] = []
        for bar in idle {
            rest -= bar.block.capacity
            discard(bar.block, bar.id)
            ended.append(bar.id)
            if rest <= 0 { break }
        }
        return ended
    }

    private mutating func discard(_ block: BarBlock, _ id: BarID) {
        quota.removeBar(block.capacity + BarShard.tableBytes, of: block.client)
        blocks[id] = nil
        block.free()
    }
}

/// A stored bar: one block of memory with a header, the origin of the log, its entries, and the present record.
///
/// The record is last. So a write puts its entries over the old record and the new record after them, and moves nothing.
/// A block that is too small is replaced by one an eighth larger. The shard of the block calls ``free()`` once.
struct BarBlock {
    /// The beginning of a block.
    private struct Header {
        var version: BarVersion
        /// The bits of the client that the bar counts for; ``noClient`` for none.
        let client: UInt64
        let capacity: UInt32
        var originCount: UInt32
        var entriesCount: UInt32
        var recordCount: UInt32
    }

    /// The bytes of a bar before its end; no part has more than some megabytes, so 32 bits are enough for each count.
    struct Content {
        var version: BarVersion
        /// Empty for an empty log.
        var origin: ArraySlice<UInt8> = []
        var entries: ArraySlice<UInt8> = []

        /// Returns the bytes of a block for this content and the end after it, with room for later writes.
        func capacity(with end: borrowing BarEnd) -> Int {
            let needed = headerCount + origin.count + entries.count + end.count
            let room = origin.isEmpty ? 8 : needed / 8
            return (needed + room + allocatorBytes + 15) & ~15
        }
    }

    private static let noClient = UInt64.max
    private static let headerCount = MemoryLayout<Header>.size

    private let header: UnsafeMutablePointer<Header>

    /// Allocates a block with `capacity` bytes, which `content` returned for this end.
    init(_ content: Content, _ end: borrowing BarEnd, client: ClientKey?, capacity: Int) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: capacity - BarBlock.allocatorBytes,
            alignment: MemoryLayout<Header>.alignment
        )
        header = memory.bindMemory(to: Header.self, capacity: 1)
        header.initialize(
            to: Header(
                version: content.version,
                client: client?.bits ?? BarBlock.noClient,
                capacity: UInt32(capacity),
                originCount: UInt32(content.origin.count),
                entriesCount: UInt32(content.entries.count + end.entriesCount),
                recordCount: UInt32(end.recordCount)
            )
        )
        content.origin.withUnsafeBytes { copy($0, to: 0) }
        content.entries.withUnsafeBytes { copy($0, to: content.origin.count) }
        end.writer.withBytes { copy($0, to: content.origin.count + content.entries.count) }
    }

    /// Frees the memory; the block is not used afterwards.
    func free() {
        header.deinitialize(count: 1)
        UnsafeMutableRawPointer(header).deallocate()
    }

    /// The bytes that the allocator adds to each block; the sum is a multiple of 16 (glibc wiki, "Overview of Malloc").
    private static let allocatorBytes = 8

    var capacity: Int { Int(header.pointee.capacity) }

    var version: BarVersion { header.pointee.version }

    var client: ClientKey? {
        header.pointee.client == BarBlock.noClient ? nil : ClientKey(bits: header.pointee.client)
    }

    private var content: UnsafeMutableRawPointer { UnsafeMutableRawPointer(header) + BarBlock.headerCount }
    private var originCount: Int { Int(header.pointee.originCount) }
    private var logCount: Int { originCount + Int(header.pointee.entriesCount) }

    var origin: [UInt8] { Array(bytes(from: 0, count: originCount)) }

    var entries: [UInt8] { Array(bytes(from: originCount, count: Int(header.pointee.entriesCount))) }

    var record: UnsafeRawBufferPointer { bytes(from: logCount, count: Int(header.pointee.recordCount)) }

    private func bytes(from position: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: content + position, count: count)
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to position: Int) {
        UnsafeMutableRawBufferPointer(start: content + position, count: bytes.count).copyMemory(from: bytes)
    }

    /// Appends entries and the record; returns false, and changes nothing, if the block has no room for them or no log.
    func append(_ end: borrowing BarEnd, revision: Int) -> Bool {
        let needed = BarBlock.headerCount + logCount + end.count + BarBlock.allocatorBytes
        guard originCount > 0, needed <= capacity else { return false }
        end.writer.withBytes { copy($0, to: logCount) }
        header.pointee.entriesCount += UInt32(end.entriesCount)
        header.pointee.recordCount = UInt32(end.recordCount)
        header.pointee.version.revision = revision
        return true
    }

    /// The end of the bar, at a fixed position of its record.
    var expiresAt: WallTime {
        // A record has more than 8 bytes from there on.
        let bits = content.loadUnaligned(fromByteOffset: logCount + BarRecord.endPosition, as: UInt64.self)
        return WallTime(milliseconds: Int(UInt64(bigEndian: bits) >> 16))
    }
}

extension BarBlock {
    /// The time of the last write, in milliseconds since 1970: the end of the bar less its time to live.
    var lastWrite: Int {
        let seconds = try? ByteReader.read(record) { (reader: consuming ByteReader) throws(StoredBytesError) in
            try reader.requireFormat()
            _ = try reader.end()
            return try reader.number()
        }
        return expiresAt.milliseconds - (seconds ?? 0) * 1000
    }
}

/// The version of a stored bar, which a write compares.
struct BarVersion: Sendable, Equatable {
    /// Distinguishes the bars under one id, which have the same revisions; 0 for the first one.
    let creation: UInt64
    var revision: Int
}

/// The last bytes of a block: new entries of the log, and the record after them.
struct BarEnd: ~Copyable {
    private(set) var writer: ByteWriter
    let entriesCount: Int

    var count: Int { writer.count }
    var recordCount: Int { count - entriesCount }

    /// Encodes a record with the extent of its log, after the entries of a write.
    init(
        _ record: borrowing BarRecord,
        log: LogExtent,
        after entries: consuming ByteWriter = ByteWriter(capacity: BarRecord.usualCount)
    ) {
        writer = entries
        entriesCount = writer.count
        writer.put(record, log: log)
    }
}
