import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import Synchronization

/// Parses pages, each document once, because an equal tag means equal bytes.
final class ReadPages: Sendable {
    struct NotAPage: Error {
        let status: HTTPResponse.Status
    }

    typealias Page = (ids: [String], nextCursor: String?)

    private let pages = Lock<[String: Page]>([:])

    func page(_ response: Response) throws -> Page {
        guard response.status == .ok, let tag = response.fields[.eTag] else { throw NotAPage(status: response.status) }
        if let known = pages.withLock({ $0[tag] }) { return known }
        let page = Page(try response.ids(), try response.page()["nextCursor"].unlessNull?.string())
        pages.withLock { $0[tag] = page }
        return page
    }
}
