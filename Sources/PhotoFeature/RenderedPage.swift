import HTTPExchange
import JSON
import PhotoFeed
import Primitives
import Synchronization

/// A page in JSON, and the values for the fields of its answer.
///
/// `ageSeconds` in the document counts whole minutes, so that the bytes and the tag stay the same for a minute and
/// `If-None-Match` gets a 304. The field `Age` has the seconds.
final class RenderedPage: Sendable {
    /// The bytes for an age, and their tag.
    struct Document: Sendable {
        let minutes: Int
        let bytes: SharedBytes
        let entityTag: String
    }

    /// The time at which the oldest photo was fetched; nil after the end of the feed.
    let fetched: Instant?
    let nextCursor: String?
    let previousCursor: String?
    private let tail: Tail
    /// The array of photos in the document.
    private let items: Range<Int>
    private let current: Lock<Document>

    /// The values after the photos, except for the age.
    private struct Tail: Sendable {
        let nextCursor: String?
        let hasMore: Bool
        let total: Int?
        let removedDuplicates: Int
    }

    init(_ slice: FeedSlice, in feed: Feed, _ writer: PhotoJSON) {
        func cursor(_ position: FeedSnapshot.Position?, _ marks: [UInt32]) -> String? {
            position.map { PageCursor(snapshot: slice.snapshot, position: $0, marks: marks).text(for: feed) }
        }
        fetched = slice.fetched
        nextCursor = cursor(slice.next, slice.marks)
        // A previous page repeats photos on purpose: its cursor has no marks.
        previousCursor = cursor(slice.previous, [])
        tail = Tail(
            nextCursor: nextCursor,
            hasMore: slice.next != nil,
            total: slice.total,
            removedDuplicates: slice.removedDuplicates
        )
        var json = JSONWriter(capacity: 2560 * slice.photos.count + 64)
        json.array { json in
            for photo in slice.photos { json.object { json in writer.members(of: photo, in: &json) } }
        }
        let start = "{\"items\":".utf8.count
        items = start..<start + json.bytes.count
        current = Lock(Self.document(json.bytes, tail, minutes: 0))
    }

    /// The approximate number of bytes.
    var length: Int { items.upperBound + 512 }

    /// The age of the oldest photo.
    func age(now: Instant) -> Duration {
        fetched.map { max(.zero, now - $0) } ?? .zero
    }

    /// The document at an age.
    func document(age: Duration) -> Document {
        let minutes = Int(age.components.seconds / 60)
        return current.withLock { current in
            if current.minutes != minutes {
                let written = current.bytes.withBytes { Array($0[items]) }
                current = Self.document(written, tail, minutes: minutes)
            }
            return current
        }
    }

    private static func document(_ items: [UInt8], _ tail: Tail, minutes: Int) -> Document {
        var json = JSONWriter(capacity: items.count + 1024)
        json.object { json in
            json.key("items")
            json.raw(items)
            json.object("page") { json in
                json.member("nextCursor", tail.nextCursor)
                json.member("hasMore", tail.hasMore)
                json.member("totalEstimate", tail.total)
                json.member("ageSeconds", minutes * 60)
                json.member("stale", .seconds(minutes * 60) >= Freshness.lists.fresh)
                json.member("removedDuplicates", tail.removedDuplicates)
            }
        }
        return Document(
            minutes: minutes,
            bytes: SharedBytes(json.bytes),
            entityTag: EntityTag(hashing: json.bytes).description
        )
    }
}

/// A cache of rendered pages.
///
/// A page is found by the key of its slice, before the slice is made: the reference counts of thirty photos were most of
/// the cost of a page.
final class RenderedPages: Sendable {
    private let writer: PhotoJSON
    private let pages = Lock(BoundedCache<Key, RenderedPage>(capacity: 16 << 20, largestShare: 0.1))

    /// The key of the slice, and with the sandbox library the base URL of the hotlinks.
    private struct Key: Hashable {
        let sliceKey: SliceKey
        let hotlinkBase: String?
    }

    /// The bytes of an entry besides its page: the cursors, the objects, the table.
    private static let overhead = 1024

    init(_ writer: PhotoJSON) {
        self.writer = writer
    }

    /// Returns the page of a key, if it is cached; `hotlinkBase` is as in `PhotoJSON`.
    func page(at sliceKey: SliceKey, hotlinkBase: String?) -> RenderedPage? {
        pages.withLock { $0.value(for: Key(sliceKey: sliceKey, hotlinkBase: hotlinkBase)) }
    }

    /// Returns the page of a slice, from the cache or rendered now; `hotlinkBase` is as in `PhotoJSON`.
    func page(of slice: FeedSlice, in feed: Feed, hotlinkBase: String?) -> RenderedPage {
        var writer = writer
        writer.hotlinkBase = hotlinkBase
        guard let sliceKey = slice.key else { return RenderedPage(slice, in: feed, writer) }
        if let known = page(at: sliceKey, hotlinkBase: hotlinkBase) { return known }
        let page = RenderedPage(slice, in: feed, writer)
        let key = Key(sliceKey: sliceKey, hotlinkBase: hotlinkBase)
        pages.withLock { _ = $0.insert(page, for: key, cost: page.length + Self.overhead) }
        return page
    }
}
