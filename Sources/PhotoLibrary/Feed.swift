import Primitives

/// A list of photos that clients scroll through.
package enum Feed: Sendable, Hashable {
    /// The library's front page, the newest first: its only order since September 2024.
    case editorial
    /// A search for words, which are trimmed, so that equal searches are one feed.
    case search(
        String,
        orientation: Orientation? = nil,
        color: SearchColor? = nil,
        order: SearchOrder = .relevant,
        contentFilter: ContentFilter = .low
    )
    /// A topic by its slug.
    case topic(String, order: TopicOrder, orientation: Orientation?)
    case collection(String, orientation: Orientation?)

    /// The number of photos in a page of the library, the most that it allows.
    package static let pageSize = 30

    /// The last existing page: a search ends after 200 pages, even if the library announces more.
    package var lastPage: Int? {
        if case .search = self { 200 } else { nil }
    }

    package enum Orientation: String, Sendable, CaseIterable {
        case landscape, portrait, squarish
    }

    package enum TopicOrder: String, Sendable, CaseIterable {
        case latest, oldest, popular
    }

    package enum SearchOrder: String, Sendable, CaseIterable {
        case relevant, latest, editorial
    }

    package enum ContentFilter: String, Sendable, CaseIterable {
        case low, high
    }

    /// The colours that a search can be limited to.
    package enum SearchColor: String, Sendable, CaseIterable {
        case blackAndWhite = "black_and_white"
        case black, white, yellow, orange, red, purple, magenta, green, teal, blue
    }

    /// A text that is equal only for equal feeds, in every run.
    ///
    /// The checksum of a cursor covers it.
    package var identity: String {
        switch self {
        case .editorial: "editorial"
        case .search(let query, let orientation, let color, let order, let filter):
            """
            search/\(orientation?.rawValue ?? "")/\(color?.rawValue ?? "")/\(order.rawValue)/\(filter.rawValue)\
            /\(query)
            """
        case .topic(let slug, let order, let orientation):
            "topic/\(order.rawValue)/\(orientation?.rawValue ?? "")/\(slug)"
        case .collection(let id, let orientation): "collection/\(orientation?.rawValue ?? "")/\(id)"
        }
    }

    /// The path and query of a page of the API, from 1, in the form that the drop-in has, too.
    package func target(page: Int) -> String {
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
        let parameters = query.compactMap { name, value in value.map { (name, $0) } }
        return path + "?" + PercentEncoding.query(parameters.filter { !Feed.isDefault($0, $1, at: path) })
    }

    /// Whether the library assumes this value without the parameter, which targets then omit: equal pages have one target.
    package static func isDefault(_ name: String, _ value: String, at path: String) -> Bool {
        switch (name, value) {
        case ("order_by", "relevant"), ("content_filter", "low"): path == "/search/photos"
        case ("order_by", "latest"): path.hasPrefix("/topics/")
        default: false
        }
    }
}
