import HTTPExchange
import JSON
import PhotoFeed
import Synchronization

/// Pages as bytes: thirty photos are written once, and again only when the page's age has grown by a second.
///
/// The age stands in the document, so a page of another second is another document and has another tag; what is kept
/// is the costly part, the photos.
final class RenderedPages: Sendable {
    /// What a document follows from, but for its age.
    private struct Key: Hashable, Sendable {
        let feed: Feed
        let snapshot: UInt64
        let start: FeedSnapshot.Position
        let limit: Int
        let filter: PhotoFilter
        let next: FeedSnapshot.Position?
        let count: Int
        let total: Int?
        let fetched: ContinuousClock.Instant?
    }

    private final class Entry: Sendable {
        let items: [UInt8]
        let nextCursor: String?
        let previousCursor: String?
        let current = Mutex<Document?>(nil)

        init(items: [UInt8], nextCursor: String?, previousCursor: String?) {
            self.items = items
            self.nextCursor = nextCursor
            self.previousCursor = previousCursor
        }
    }

    /// A document of one second.
    struct Document: Sendable {
        let age: Int
        let bytes: PictureBytes
        let entityTag: String
        let nextCursor: String?
        let previousCursor: String?
    }

    private let writer: PhotoJSON
    private let entries = Mutex(BoundedCache<Key, Entry, LRU>(capacity: 16 << 20, largestShare: 0.1))

    init(_ writer: PhotoJSON) {
        self.writer = writer
    }

    /// The document of a slice that is `age` old.
    func document(_ request: FeedLibrary.Request, _ slice: FeedSlice, age: Duration) -> Document {
        let key = Key(
            feed: request.feed,
            snapshot: slice.snapshot,
            start: slice.start,
            limit: request.limit,
            filter: request.filter,
            next: slice.next,
            count: slice.photos.count,
            total: slice.total,
            fetched: slice.fetched
        )
        let entry = entries.withLock { $0.value(for: key) } ?? insert(key, request, slice)
        let seconds = Int(age.components.seconds)
        if let current = entry.current.withLock({ $0 }), current.age == seconds { return current }
        let document = write(entry, slice, age: seconds)
        entry.current.withLock { $0 = document }
        return document
    }

    private func insert(_ key: Key, _ request: FeedLibrary.Request, _ slice: FeedSlice) -> Entry {
        var json = JSONWriter(capacity: 2048 * max(1, slice.photos.count))
        json.array { json in
            for photo in slice.photos { json.object { json in writer.members(of: photo, in: &json) } }
        }
        func cursor(_ position: FeedSnapshot.Position?, _ marks: [UInt32]) -> String? {
            position.map {
                PageCursor(snapshot: slice.snapshot, position: $0, marks: marks).text(for: request.feed)
            }
        }
        let entry = Entry(
            items: json.bytes,
            nextCursor: cursor(slice.next, slice.marks),
            // Going back shows again what was shown: there is nothing to remember.
            previousCursor: cursor(slice.previous, [])
        )
        entries.withLock { _ = $0.insert(entry, for: key, cost: json.bytes.count * 2 + 1024) }
        return entry
    }

    private func write(_ entry: Entry, _ slice: FeedSlice, age: Int) -> Document {
        var json = JSONWriter(capacity: entry.items.count + 1024)
        json.object { json in
            json.key("items")
            json.raw(entry.items)
            json.object("page") { json in
                json.member("nextCursor", entry.nextCursor)
                json.member("hasMore", slice.next != nil)
                json.member("totalEstimate", slice.total)
                json.member("ageSeconds", age)
                json.member("stale", .seconds(age) >= Freshness.lists.fresh)
                json.member("removedDuplicates", slice.removedDuplicates)
            }
        }
        return Document(
            age: age,
            bytes: PictureBytes(json.bytes),
            entityTag: EntityTag(hashing: json.bytes).description,
            nextCursor: entry.nextCursor,
            previousCursor: entry.previousCursor
        )
    }
}
