import HTTPExchange
import JSON
import PhotoLibrary
import Primitives
import Synchronization

/// A page of photos as the answer to a target: its JSON, and the fields.
///
/// `ageSeconds` in the document counts whole minutes, so that the bytes and the tag stay the same for a minute and
/// `If-None-Match` gets a 304. The field `Age` has the seconds.
///
/// Clients repeat the same few targets. A page is found by its target before the query is read and the slice is made: the
/// reference counts of thirty photos were most of its cost.
final class RenderedPage: Sendable {
    struct Key: Hashable, Sendable {
        let target: String
        let hotlinkBase: String?
    }

    /// The bytes for an age in minutes, and their tag.
    private struct Document: Sendable {
        let minutes: Int
        let bytes: SharedBytes
        let entityTag: String
        /// The fields of the last hit, for its age in seconds.
        var hit: (age: Int, fields: Fields)?
    }

    let request: FeedLibrary.Request
    /// The slice, without its photos.
    let slice: FeedSlice
    private let cursors: (next: String?, previous: String?)
    private let links: String
    private let linksFollowHost: Bool
    /// The array of photos in the document.
    private let items: Range<Int>
    private let document: Lock<Document>

    /// Writes a slice; `links` returns the Link field for the cursors of the next and the previous page.
    init(
        _ slice: FeedSlice,
        _ request: FeedLibrary.Request,
        _ writer: PhotoJSON,
        _ clock: SteadyClock,
        links: (_ next: String?, _ previous: String?) -> String
    ) {
        func cursor(_ position: FeedSnapshot.Position?, _ marks: [UInt32]) -> String? {
            position.map { position in
                let fetched = clock.time(at: slice.lastFetched ?? .now)
                return PageCursor(snapshot: slice.snapshot, fetched: fetched, position: position, marks: marks)
                    .text(for: request.feed)
            }
        }
        self.request = request
        linksFollowHost = writer.hotlinkBase != nil && writer.configuration.publicURL == nil
        // A previous page repeats photos on purpose: its cursor has no marks.
        cursors = (cursor(slice.next, slice.marks), cursor(slice.previous, []))
        self.links = links(cursors.next, cursors.previous)
        var json = JSONWriter(capacity: 2560 * slice.photos.count + 64)
        json.array { json in
            for photo in slice.photos { json.object { json in writer.members(of: photo, in: &json) } }
        }
        let start = "{\"items\":".utf8.count
        items = start..<start + json.bytes.count
        var withoutPhotos = slice
        withoutPhotos.photos = []
        self.slice = withoutPhotos
        document = Lock(Self.document(json.bytes, cursors, withoutPhotos, minutes: 0))
    }

    /// The approximate bytes in a cache: the document, the links with two cursors, the other fields, the objects.
    var cost: Int { items.upperBound + 4096 }

    func response(_ status: CacheStatus = .hit, now: Instant) -> Response {
        let age = slice.fetched.map { max(0, Int((now - $0).components.seconds)) } ?? 0
        return document.withLock { document in
            if document.minutes != age / 60 {
                let written = document.bytes.withBytes { Array($0[items]) }
                document = Self.document(written, cursors, slice, minutes: age / 60)
            }
            let fields: Fields
            if status == .hit, let hit = document.hit, hit.age == age {
                fields = hit.fields
            } else {
                // A page that was cut short by an error is complete at the next attempt.
                let control = status.isStale ? Freshness.lists.fresh : .seconds(age)
                fields = [
                    .contentType: "application/json", .eTag: document.entityTag,
                    .cacheControl: Freshness.lists.cacheControl(age: control, linksFollowHost: linksFollowHost),
                    .age: "\(age)",
                    .cacheStatus: status.text(ttl: Freshness.lists.fresh - .seconds(age)), .link: links,
                ]
                if status == .hit { document.hit = (age, fields) }
            }
            return Response(fields: fields, content: .shared(document.bytes))
        }
    }

    private static func document(
        _ items: [UInt8],
        _ cursors: (next: String?, previous: String?),
        _ slice: FeedSlice,
        minutes: Int
    ) -> Document {
        var json = JSONWriter(capacity: items.count + 1024)
        json.object { json in
            json.key("items")
            json.raw(items)
            json.object("page") { json in
                json.member("nextCursor", cursors.next)
                json.member("previousCursor", cursors.previous)
                json.member("hasMore", cursors.next != nil)
                json.member("totalEstimate", slice.total)
                json.member("ageSeconds", minutes * 60)
                json.member("stale", .seconds(minutes * 60) >= Freshness.lists.fresh)
                json.member("removedDuplicates", slice.removedDuplicates)
            }
        }
        let tag = EntityTag(hashing: json.bytes).description
        return Document(minutes: minutes, bytes: SharedBytes(json.bytes), entityTag: tag)
    }
}
