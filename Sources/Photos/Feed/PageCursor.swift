import PhotoLibrary
import Primitives

/// A position in a feed, as an opaque text for clients.
///
/// It names a snapshot and a position in it. If the snapshot is not here, on another replica, after a restart or a day, the
/// marks of the photos shown last find the position in the current one, or the time shows which pages are too old.
///
/// The bytes, in base 64 for URLs: version, snapshot (8), time (6), page (4), index (2), number of marks, each mark (3),
/// and a checksum (8) that also covers the feed's identity. A forged position gives access to nothing.
struct PageCursor: Sendable, Equatable {
    var snapshot: UInt64
    /// The time at which the last page before the position was fetched.
    var fetched: WallTime
    var position: FeedSnapshot.Position
    /// The marks of the latest photos shown, the oldest first; at most `mostMarks`.
    var marks: [UInt32]

    private static let version: UInt8 = 2
    /// The version of cursors that 1.0 wrote, which have no time.
    private static let timeless: UInt8 = 1
    static let rememberedPhotos = 61
    /// With those that were shown before the snapshot began; a cursor with all of them has 400 characters.
    static let mostMarks = 90

    init(snapshot: UInt64, fetched: WallTime, position: FeedSnapshot.Position, marks: [UInt32]) {
        self.snapshot = snapshot
        self.fetched = fetched
        self.position = position
        self.marks = marks.suffix(PageCursor.mostMarks)
    }

    /// The mark of a photo: 24 bits of the hash of its id.
    static func mark(_ id: String) -> UInt32 { UInt32(truncatingIfNeeded: SipHash.hash(id)) & 0xff_ffff }

    func text(for feed: Feed) -> String {
        var bytes: [UInt8] = [PageCursor.version]
        func append(_ value: some FixedWidthInteger, _ count: Int) {
            bytes += (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        append(snapshot, 8)
        append(max(0, fetched.milliseconds), 6)
        append(position.page, 4)
        append(position.index, 2)
        append(marks.count, 1)
        for mark in marks { append(mark, 3) }
        append(PageCursor.checksum(bytes[...], feed), 8)
        return Base64.encode(bytes, .url)
    }

    /// Reads a cursor of this feed; nil for any other text.
    init?(_ text: String, for feed: Feed) {
        guard text.utf8.count <= 400, let bytes = Base64.decodeURL(text), let version = bytes.first,
            bytes.count >= (version == PageCursor.timeless ? 24 : 30)
        else { return nil }
        let payload = bytes.dropLast(8)
        var unread = payload.dropFirst()
        func read(_ count: Int) -> UInt64 {
            defer { unread = unread.dropFirst(count) }
            return unread.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let checksum = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard checksum == PageCursor.checksum(payload, feed),
            PageCursor.timeless...PageCursor.version ~= version
        else { return nil }
        snapshot = read(8)
        // Without a time, no page is too old.
        fetched = WallTime(milliseconds: version == PageCursor.timeless ? 0 : Int(read(6)))
        position = FeedSnapshot.Position(page: Int(read(4)), index: Int(read(2)))
        let count = Int(read(1))
        guard position.page >= 1, count <= PageCursor.mostMarks, unread.count == 3 * count else { return nil }
        marks = (0..<count).map { _ in UInt32(read(3)) }
    }

    private static func checksum(_ payload: ArraySlice<UInt8>, _ feed: Feed) -> UInt64 {
        SipHash.hash(Array(payload) + Array(feed.identity.utf8))
    }
}
