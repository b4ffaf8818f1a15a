import Primitives
import SharedState
import StoredBytes

/// An answer of the library with its target, as replicas share it; docs/scaling.md has the keys.
///
/// While a replica fetches, the key has its claim instead.
enum AnswerRecord {
    /// The version of the format, with which each record begins, and which is part of each key.
    static let format: UInt8 = 4
    /// The largest content that is stored, in bytes; a page of 30 photos has about 100 kB.
    static let largestContent = 256 << 10

    /// Two targets of the same hash displace each other's record, and no more.
    static func key(of target: String) -> String {
        "a\(format):" + String(SipHash.hash(target), radix: 16)
    }

    /// The key of a record that has a photo.
    static func recordKey(ofPhoto photo: String) -> String { "x\(format):" + photo }

    /// The bytes of a record.
    static func bytes(_ answer: LibraryCache.Answer, to target: String, _ clock: SteadyClock) -> [UInt8] {
        var writer = ByteWriter(capacity: answer.value.content.count + target.utf8.count + 64)
        writer.put(format)
        writer.put(target)
        writer.put(number: clock.time(at: answer.fetched).milliseconds)
        // 0 without a total, else one more than it.
        writer.put(number: answer.value.total.map { $0 + 1 } ?? 0)
        writer.put(number: answer.value.hasNext.map { $0 ? 2 : 1 } ?? 0)
        writer.put(answer.value.content)
        return writer.bytes
    }

    /// Reads a record; throws for bytes that no replica writes.
    static func read(
        _ bytes: [UInt8],
        _ clock: SteadyClock
    ) throws -> (target: String, answer: LibraryCache.Answer) {
        try ByteReader.read(bytes) { (reader: consuming ByteReader) in
            let format = try reader.byte()
            guard format == AnswerRecord.format else { throw StoredBytesError.unknownFormat(format) }
            let target = try reader.text()
            let fetched = clock.moment(of: WallTime(milliseconds: try reader.number()))
            let (total, hasNext) = (try reader.number(), try reader.number())
            let answer = LibraryAnswer(
                try reader.content(),
                total: total == 0 ? nil : total - 1,
                hasNext: hasNext == 0 ? nil : hasNext == 2
            )
            return (target, Timestamped(value: answer, fetched: fetched))
        }
    }
}
