import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives
import Synchronization

/// What a target for a page means, read once, and the fields of its last answer.
///
/// People who look at one feed send the same few targets again and again. Their fields are the same until a second is
/// over or the page has changed.
final class AskedPage: Sendable {
    let request: FeedLibrary.Request
    /// Where hotlinks lead to our own pictures; nil for the library's own addresses.
    let ownHotlinks: String?
    private let links: PageLinks
    private let last = Mutex<(place: FeedPlace, age: Int, fields: Fields)?>(nil)

    init(_ request: FeedLibrary.Request, _ links: PageLinks, ownHotlinks: String?) {
        self.request = request
        self.ownHotlinks = ownHotlinks
        self.links = links
    }

    /// The answer from memory with the page that stands at `place`.
    func hit(_ page: RenderedPage, at place: FeedPlace, age: Duration) -> Response {
        let document = page.document(age: age)
        let seconds = Int(age.components.seconds)
        let fields = last.withLock { last in
            if let last, last.place == place, last.age == seconds { return last.fields }
            let ttl = Freshness.lists.fresh - .seconds(seconds)
            let fields = self.fields(page, document, .hit(ttl: ttl), age: seconds)
            last = (place, seconds, fields)
            return fields
        }
        return Response(fields: fields, content: document.content)
    }

    /// The answer after a fetch, or with an old page in place of one.
    func response(_ page: RenderedPage, _ status: CacheStatus, age: Duration) -> Response {
        let document = page.document(age: age)
        return Response(
            fields: fields(page, document, status, age: Int(age.components.seconds)),
            content: document.content
        )
    }

    private func fields(
        _ page: RenderedPage,
        _ document: RenderedPage.Document,
        _ status: CacheStatus,
        age: Int
    ) -> Fields {
        [
            .contentType: "application/json",
            .eTag: document.entityTag,
            .cacheControl: .seconds(age) < Freshness.lists.fresh ? CacheControl.page : CacheControl.stale,
            .age: "\(age)",
            .cacheStatus: status.text,
            .link: links.field(next: page.nextCursor, previous: page.previousCursor),
        ]
    }
}

extension RenderedPage.Document {
    fileprivate var content: Content { .shared(bytes, 0..<bytes.buffer.count) }
}

/// The targets that were asked for last, by their text.
final class AskedPages: Sendable {
    private let pages = Mutex(BoundedCache<String, AskedPage>(capacity: 2 << 20))

    /// What a target takes beside its text: the links, which carry two cursors, the other fields, what it was read as.
    private static let overhead = 2048

    /// What the target means, as it was read before with the same hotlinks, else read now.
    ///
    /// - Throws: what `read` throws; a fault is not remembered.
    func page(_ target: Target, ownHotlinks: String?, read: () throws -> AskedPage) rethrows -> AskedPage {
        let known = pages.withLock { $0.value(for: target.raw) }
        if let known, known.ownHotlinks == ownHotlinks { return known }
        let page = try read()
        pages.withLock { _ = $0.insert(page, for: target.raw, cost: 2 * target.raw.utf8.count + Self.overhead) }
        return page
    }
}
