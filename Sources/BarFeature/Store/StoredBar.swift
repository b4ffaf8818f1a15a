import BarLayout
import Primitives
import StoredBytes

/// A bar in memory: its present record, its log, and the bytes that both take.
///
/// A class, so the table of a shard has one word for each bar. Exclusivity is not checked at run time, which would cost a call
/// for each access: the lock of the shard is held.
final class StoredBar {
    @exclusivity(unchecked) private(set) var record: BarRecord
    @exclusivity(unchecked) private var log = StoredLog()
    /// The client that the bar counts for, if it is known.
    let client: ClientKey?
    /// The bytes in memory, with the entry in the table of a shard.
    @exclusivity(unchecked) private(set) var bytes: Int

    init(_ record: BarRecord, client: ClientKey?) {
        self.record = record
        self.client = client
        bytes = StoredBar.bytes(record, StoredLog())
    }

    /// The time of the last write: the end of the bar less its time to live.
    var lastWrite: WallTime { record.expiresAt.adding(seconds: -record.ttlSeconds) }

    func hasExpired(at now: WallTime) -> Bool { record.expiresAt.milliseconds <= now.milliseconds }

    /// Returns the log for a reader, which shares the bytes until the next write.
    func readLog() throws(StoredBytesError) -> BarLog {
        try BarLog(start: log.start, entries: log.entries, lastSequence: record.lastSequence)
    }

    /// Stores the next record, and appends entries to the log.
    ///
    /// `reserve` is called before the bar takes more bytes, or fewer. If it refuses them, the write goes on without the
    /// log, which can be dropped, and a record cannot. If that is refused, too, the bar stays as it is.
    func write(
        _ next: BarRecord,
        _ addition: borrowing LogAddition,
        reserve: (Int) throws(BarSessionError) -> Void
    ) throws {
        // Most writes change nothing of variable size, and the log has room for them.
        if next.session.variableBytes == record.session.variableBytes, log.append(addition) {
            record = next
            return
        }
        var nextLog = try log.appending(addition, to: record)
        do throws(BarSessionError) {
            try reserve(StoredBar.bytes(next, nextLog) - bytes)
        } catch {
            nextLog = StoredLog()
            try reserve(StoredBar.bytes(next, nextLog) - bytes)
        }
        bytes = StoredBar.bytes(next, nextLog)
        (record, log) = (next, nextLog)
    }

    private static func bytes(_ record: BarRecord, _ log: StoredLog) -> Int {
        fixedBytes + record.session.variableBytes + log.bytes
    }

    /// The bytes of the object, and of its entry in a table that is filled to between 3/8 and 3/4.
    private static let fixedBytes =
        HeapBlock.bytes(
            ofObject: MemoryLayout<(BarRecord, StoredLog, ClientKey?, Int)>.size
        ) + (MemoryLayout<BarID>.stride + MemoryLayout<StoredBar>.stride) * 16 / 9
}

/// The log of a bar in memory, in the codec of stored bars: 512 decoded events would take twenty times as much.
private struct StoredLog {
    /// The bar before the first entry; empty for an empty log.
    private(set) var start: [UInt8] = []
    private(set) var entries: [UInt8] = []
    private var extent = LogExtent()

    var bytes: Int { HeapBlock.bytes(of: start) + HeapBlock.bytes(of: entries) }

    /// Appends entries in place; returns false, and changes nothing, if that needs more memory or the log is full.
    mutating func append(_ addition: borrowing LogAddition) -> Bool {
        let sum = extent + addition.extent
        let hasRoom = entries.count + addition.byteCount <= entries.capacity
        guard hasRoom, !start.isEmpty, !BarLog.isFull(sum) else { return false }
        addition.writer.withBytes { entries += $0 }
        extent = sum
        return true
    }

    /// Returns the log with further entries, and with room for later ones; a full log loses its oldest entries.
    ///
    /// An empty log begins with `record`, the bar before these entries.
    func appending(_ addition: borrowing LogAddition, to record: BarRecord) throws(StoredBytesError) -> StoredLog {
        var next = StoredLog()
        next.start = start.isEmpty ? record.startBytes : start
        next.extent = extent + addition.extent
        var kept = entries[...]
        if BarLog.isFull(next.extent) {
            let log = try BarLog(start: next.start, entries: entries, lastSequence: record.lastSequence)
            guard let trimmed = try log.trimmed(next.extent) else { throw .inconsistentLog }
            next.start = trimmed.start.startBytes
            next.extent = trimmed.extent
            kept = kept.dropFirst(trimmed.droppedBytes)
        }
        let count = kept.count + addition.byteCount
        next.entries.reserveCapacity(count + count / 8)
        next.entries += kept
        addition.writer.withBytes { next.entries += $0 }
        return next
    }
}

extension BarSession {
    /// The bytes of the parts without a fixed size: the id of the view, and the tracks.
    fileprivate var variableBytes: Int {
        let fixed = HeapBlock.bytes(of: snapshot.scrollable.id) + HeapBlock.bytes(of: tracks.all)
        return tracks.all.reduce(fixed) { sum, track in
            let object = HeapBlock.bytes(ofObject: MemoryLayout<(String, Track.Curve, Int)>.size)
            let named = sum + object + HeapBlock.bytes(of: track.name)
            guard case .keyframes(let keyframes) = track.curve else { return named }
            return named + HeapBlock.bytes(of: keyframes.points)
        }
    }
}

/// The bytes of blocks of the heap: multiples of 16, of which 8 are the allocator's (glibc wiki, "Overview of Malloc").
private enum HeapBlock {
    /// The bytes of an object with so many bytes of members.
    static func bytes(ofObject members: Int) -> Int { bytes(16 + members) }

    static func bytes<Element>(of array: [Element]) -> Int {
        array.capacity == 0 ? 0 : bytes(32 + array.capacity * MemoryLayout<Element>.stride)
    }

    /// A string of at most 15 bytes is in its place.
    static func bytes(of string: String) -> Int { string.utf8.count <= 15 ? 0 : bytes(32 + string.utf8.count) }

    private static func bytes(_ content: Int) -> Int { (content + 8 + 15) & ~15 }
}
