import PhotoFeed
import Primitives

extension Feed {
    /// The path and query of a page of the API, from 1.
    func target(page: Int) -> String {
        var query: [(String, String?)] = [("page", "\(page)"), ("per_page", "\(Feed.pageSize)")]
        let path: String
        switch self {
        case .editorial: path = "/photos"
        case .search(let words, let orientation, let color, let order, let filter):
            path = "/search/photos"
            query += [
                ("query", words), ("orientation", orientation?.rawValue), ("color", color?.rawValue),
                ("order_by", order.rawValue), ("content_filter", filter.rawValue),
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
