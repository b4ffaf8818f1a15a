import HTTPExchange
import PhotoFeed
import Primitives

/// The start and length of a page: `cursor` and `limit`, or `page` and `perPage`.
struct PageQuery: Sendable {
    let start: FeedLibrary.Start
    let limit: Int
    /// The number of the page; nil with a cursor.
    let page: Int?

    static let names = ["cursor", "limit", "page", "perPage"]
    static let sizes = 1...100
    static let pages = 1...100_000

    /// Reads the parameters; throws 400 for a cursor of another feed or of no feed, and for both ways at once.
    init(_ query: Query, of feed: Feed) throws(Problem) {
        if let name = ["page", "perPage"].first(where: query.contains) {
            guard !query.contains("cursor"), !query.contains("limit") else {
                throw .invalidQuery(name, "is not allowed with cursor or limit")
            }
            let page = try query.integer("page", in: Self.pages) ?? 1
            limit = try query.integer("perPage", in: Self.sizes) ?? 10
            start = .photo((page - 1) * limit)
            self.page = page
            return
        }
        page = nil
        limit = try query.integer("limit", in: Self.sizes) ?? 10
        guard let text = try query.string("cursor") else {
            start = .first
            return
        }
        guard let cursor = PageCursor(text, for: feed) else {
            throw .invalidQuery("cursor", "is not a cursor of this feed")
        }
        start = .cursor(cursor)
    }

    /// The Link field of a page (RFC 8288): first, prev and next.
    ///
    /// Links keep the parameters of the feed. `next` has a cursor, since only a cursor excludes duplicates. Targets have
    /// only the characters that RFC 3986 allows, so that text of a client cannot end a link and begin another.
    func links(from target: Target, next: String?, previous: String?) -> String {
        let path = PercentEncoding.encodeIllegal(in: target.path)
        let kept = (target.query ?? "").split(separator: "&").filter { pair in
            let name = pair.prefix { $0 != "=" }
            return !PageQuery.names.contains(PercentEncoding.decode(name, plusIsSpace: true) ?? "")
        }.map { PercentEncoding.encodeIllegal(in: $0) }
        func link(_ relation: String, _ position: String...) -> String {
            "<\(path)?\((kept + position).joined(separator: "&"))>; rel=\"\(relation)\""
        }
        func numbered(_ relation: String, _ page: Int) -> String { link(relation, "page=\(page)", "perPage=\(limit)") }
        var links = [page == nil ? link("first", "limit=\(limit)") : numbered("first", 1)]
        if let page, page > 1 { links.append(numbered("prev", page - 1)) }
        if page == nil, let previous { links.append(link("prev", "cursor=\(previous)", "limit=\(limit)")) }
        if let next { links.append(link("next", "cursor=\(next)", "limit=\(limit)")) }
        return links.joined(separator: ", ")
    }
}
