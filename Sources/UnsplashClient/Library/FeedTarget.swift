import PhotoFeed
import Primitives

/// The API's targets of feeds.
enum FeedTarget {
    /// The path and query of a page, from 1.
    static func text(for feed: Feed, page: Int) -> String {
        var query: [(String, String?)] = [("page", "\(page)"), ("per_page", "\(Feed.pageSize)")]
        let path: String
        switch feed {
        case .editorial:
            path = "/photos"
        case .search(let search):
            path = "/search/photos"
            query += [
                ("query", search.query), ("orientation", search.orientation?.rawValue),
                ("color", search.color?.rawValue), ("order_by", search.order.rawValue),
                ("content_filter", search.contentFilter.rawValue),
            ]
        case .topic(let slug, let order, let orientation):
            path = "/topics/\(PercentEncoding.encode(slug))/photos"
            query += [("order_by", order.rawValue), ("orientation", orientation?.rawValue)]
        case .collection(let id, let orientation):
            path = "/collections/\(PercentEncoding.encode(id))/photos"
            query += [("orientation", orientation?.rawValue)]
        }
        let parts = query.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
        return path + "?" + parts.joined(separator: "&")
    }
}
