import PhotoFeed
import Primitives

/// The API's targets of feeds.
enum FeedTarget {
    /// The path and query of a page, from 1.
    static func text(for feed: Feed, page: Int) -> String {
        var query: [(String, String?)] = [("page", "\(page)"), ("per_page", "\(Feed.pageSize)")]
        let path: String
        switch feed {
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

/// A Link field (RFC 8288).
///
/// It is split at angle brackets instead of commas, which a query may contain, and read by Unicode scalars, because a
/// combining mark changes a character.
struct LinkField: Sendable {
    /// Whether it has a link to the next page.
    let hasNext: Bool

    init(_ text: String) {
        var hasNext = false
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            rest = rest[rest.index(after: close)...]
            let parameters = rest.prefix { $0 != "<" }
            for parameter in parameters.split(whereSeparator: { $0 == ";" || $0 == "," }) {
                let halves = parameter.split(separator: "=", maxSplits: 1)
                guard halves.count == 2, String(halves[0].filter { $0 != " " }).lowercased() == "rel" else { continue }
                let value = String(halves[1].filter { $0 != "\"" }).lowercased()
                if value.split(separator: " ").contains("next") { hasNext = true }
            }
        }
        self.hasNext = hasNext
    }
}
