import Primitives

/// A part of the bars; the store protects each shard by a lock.
///
/// It decodes bars, compares versions, and stores bytes that were encoded without its lock.
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

    /// What the store has of a bar beside its record.
    struct Base: Sendable {
        let version: BarVersion
        /// The extent of the log.
        let extent: LogExtent
    }

    /// The bytes of a log.
    struct StoredLog: Sendable {
        let origin: [UInt8]
        let entries: [UInt8]
    }

    /// Returns a bar.
    ///
    /// - Throws: `notFound` if there is none or it has expired; `StoredBytesError`.
    func bar(_ id: BarID, now: WallTime) throws -> (record: BarRecord, base: Base) {
        guard let block = block(id, at: now) else { throw BarSessionError.notFound }
        return try bar(in: block)
    }

    /// Returns a bar and its log; throws as ``bar(_:now:)``.
    func barAndLog(_ id: BarID, now: WallTime) throws -> (record: BarRecord, base: Base, log: StoredLog) {
        guard let block = block(id, at: now) else { throw BarSessionError.notFound }
        let (record, base) = try bar(in: block)
        return (record, base, StoredLog(origin: block.origin, entries: block.entries))
    }

    private func bar(in block: BarBlock) throws(StoredBytesError) -> (record: BarRecord, base: Base) {
        let version = block.version
        return try ByteReader.read(block.record) { (reader: consuming ByteReader) throws(StoredBytesError) in
            let (record, extent) = try reader.record(revision: version.revision)
            return (record, Base(version: version, extent: extent))
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

/// A stored bar: one block of memory with a header, the origin of the log, its entries, and the present record.
///
/// The record is last. So a write puts its entries over the old record and the new record after them, and moves nothing.
/// A block that is too small is replaced by one an eighth larger.
///
/// The type refers to memory that it does not own by itself: ``free()`` is called once, by the shard that has the block.
struct BarBlock {
    /// The beginning of a block.
    private struct Header {
        var version: BarVersion
        /// The client that the bar counts for; ``noClient`` for none.
        let client: UInt64
        let capacity: UInt32
        var originCount: UInt32
        var entriesCount: UInt32
        var recordCount: UInt32
    }

    /// The bytes of a bar before its end.
    ///
    /// No part has more than some megabytes, since a request has at most one; so 32 bits are enough for each count.
    struct Content {
        var version: BarVersion
        /// The bytes of the log's origin; empty for an empty log.
        var origin: ArraySlice<UInt8> = []
        var entries: ArraySlice<UInt8> = []

        /// Returns the bytes of a block for this content and the end after it, for a record that its next events make a
        /// little longer, and for more entries if it has a log.
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
    init(_ content: Content, _ end: borrowing BarEnd, client: UInt64?, capacity: Int) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: capacity - BarBlock.allocatorBytes,
            alignment: MemoryLayout<Header>.alignment
        )
        header = memory.bindMemory(to: Header.self, capacity: 1)
        header.initialize(
            to: Header(
                version: content.version,
                client: client ?? BarBlock.noClient,
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

    // MARK: Sizes

    /// The bytes that the allocator adds to each block; the sum is a multiple of 16 (glibc wiki, "Overview of Malloc").
    private static let allocatorBytes = 8

    /// The bytes that the block takes from the heap.
    var capacity: Int { Int(header.pointee.capacity) }

    // MARK: Parts

    var version: BarVersion { header.pointee.version }

    var client: UInt64? { header.pointee.client == BarBlock.noClient ? nil : header.pointee.client }

    private var content: UnsafeMutableRawPointer { UnsafeMutableRawPointer(header) + BarBlock.headerCount }
    private var originCount: Int { Int(header.pointee.originCount) }
    private var logCount: Int { originCount + Int(header.pointee.entriesCount) }

    var origin: [UInt8] { Array(bytes(from: 0, count: originCount)) }

    var entries: [UInt8] { Array(bytes(from: originCount, count: Int(header.pointee.entriesCount))) }

    /// The bytes of the record, in the memory of the block.
    var record: UnsafeRawBufferPointer { bytes(from: logCount, count: Int(header.pointee.recordCount)) }

    /// Returns bytes of the content, which are inside of the block because its parts are.
    private func bytes(from position: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: content + position, count: count)
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to position: Int) {
        UnsafeMutableRawBufferPointer(start: content + position, count: bytes.count).copyMemory(from: bytes)
    }

    // MARK: Changing

    /// Appends entries to the log, and stores the record after them; returns false, and changes nothing, if the block has
    /// no room for them or no log.
    func append(_ end: borrowing BarEnd, revision: Int) -> Bool {
        let needed = BarBlock.headerCount + logCount + end.count + BarBlock.allocatorBytes
        guard originCount > 0, needed <= capacity else { return false }
        end.writer.withBytes { copy($0, to: logCount) }
        header.pointee.entriesCount += UInt32(end.entriesCount)
        header.pointee.recordCount = UInt32(end.recordCount)
        header.pointee.version.revision = revision
        return true
    }

    /// The end of the bar, which is at a fixed position of its record.
    var expiresAt: WallTime {
        // The record has more than 8 bytes from there on.
        let bits = content.loadUnaligned(fromByteOffset: logCount + BarRecord.endPosition, as: UInt64.self)
        return WallTime(milliseconds: Int(UInt64(bigEndian: bits) >> 16))
    }
}

/// The version of a stored bar, which a write compares.
struct BarVersion: Sendable, Equatable {
    /// The number of the creation: a bar that has ended can be made again under its id, and get the same revisions.
    let creation: UInt64
    var revision: Int
}

/// The last bytes of a block: new entries of the log, and the record after them.
struct BarEnd: ~Copyable {
    private(set) var writer: ByteWriter
    let entriesCount: Int

    var count: Int { writer.count }
    var recordCount: Int { count - entriesCount }

    /// Encodes a record with the extent of its log, and no entries before it.
    init(_ record: borrowing BarRecord, log: LogExtent) {
        writer = ByteWriter(capacity: BarRecord.usualCount)
        entriesCount = 0
        writer.put(record, log: log)
    }

    /// Encodes a record with the extent of its log, after the entries of a write.
    init(_ record: borrowing BarRecord, log: LogExtent, after addition: consuming LogAddition) {
        writer = addition.finish()
        entriesCount = writer.count
        writer.put(record, log: log)
    }
}
