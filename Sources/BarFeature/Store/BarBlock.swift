import Primitives

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

    var origin: [UInt8] { bytes(from: 0, count: originCount) }

    var entries: [UInt8] { bytes(from: originCount, count: Int(header.pointee.entriesCount)) }

    var record: [UInt8] { bytes(from: logCount, count: Int(header.pointee.recordCount)) }

    /// Returns bytes of the content, which are inside of the block because its parts are.
    private func bytes(from position: Int, count: Int) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: content + position, count: count))
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
    init(_ record: BarRecord, log: LogExtent) {
        writer = ByteWriter(capacity: BarRecord.usualCount)
        entriesCount = 0
        writer.put(record, log: log)
    }

    /// Encodes a record with the extent of its log, after the entries of a write.
    init(_ record: BarRecord, log: LogExtent, after addition: borrowing LogAddition) {
        writer = ByteWriter(capacity: BarRecord.usualCount + addition.byteCount)
        writer.append(addition.writer)
        entriesCount = writer.count
        writer.put(record, log: log)
    }
}
