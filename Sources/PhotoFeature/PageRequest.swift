import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives
import Synchronization

/// A parsed request for a page, and the fields of its last answer.
///
/// Clients of one feed repeat the same few targets. The fields of the answer stay the same until its age in seconds or
/// the page changes.
final class PageRequest: Sendable {
    let request: FeedLibrary.Request
    /// The base URL of hotlinks to the service's own pictures; nil for the library's addresses.
    let hotlinkBase: String?
    private let links: PageLinks
    private let last = Lock<(key: SliceKey, age: Int, fields: Fields)?>(nil)

    init(_ request: FeedLibrary.Request, _ links: PageLinks, hotlinkBase: String?) {
        self.request = request
        self.hotlinkBase = hotlinkBase
        self.links = links
    }

    /// The answer from the cache with the page of a key.
    func hit(_ page: RenderedPage, at key: SliceKey, age: Duration) -> Response {
        let document = page.document(age: age)
        let seconds = Int(age.components.seconds)
        let fields = last.withLock { last in
            if let last, last.key == key, last.age == seconds { return last.fields }
            let ttl = Freshness.lists.fresh - .seconds(seconds)
            let fields = self.fields(page, document, .hit(ttl: ttl), age: seconds)
            last = (key, seconds, fields)
            return fields
        }
        return Response(fields: fields, content: document.content)
    }

    /// The answer after a fetch, or with a stale page after a failed one.
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
    fileprivate var content: Content { .shared(bytes) }
}

/// The parsed requests of the most recent targets.
final class PageRequests: Sendable {
    private let pages = Lock(BoundedCache<String, PageRequest>(capacity: 2 << 20))

    /// The bytes of an entry besides its target: links with two cursors, the other fields, the parsed request.
    private static let overhead = 2048

    /// Returns the parsed request of a target, from the cache if its hotlinks have the same base, else from `read`.
    ///
    /// - Throws: the error of `read`, which is not cached.
    func page(_ target: Target, hotlinkBase: String?, read: () throws -> PageRequest) rethrows -> PageRequest {
        let known = pages.withLock { $0.value(for: target.raw) }
        if let known, known.hotlinkBase == hotlinkBase { return known }
        let page = try read()
        pages.withLock { _ = $0.insert(page, for: target.raw, cost: 2 * target.raw.utf8.count + Self.overhead) }
        return page
    }
}
