/// A list of photos that clients scroll through.
package enum Feed: Sendable, Hashable {
    /// The library's front page, the newest first: its only order since September 2024.
    case editorial
    case search(Search)
    /// A topic by its slug.
    case topic(String, order: TopicOrder, orientation: Orientation?)
    /// A collection by its id.
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

    package struct Search: Sendable, Hashable {
        /// The words, trimmed, so that equal searches are one feed.
        package var query: String
        package var orientation: Orientation?
        package var color: SearchColor?
        package var order: SearchOrder
        package var contentFilter: ContentFilter

        package init(
            query: String,
            orientation: Orientation? = nil,
            color: SearchColor? = nil,
            order: SearchOrder = .relevant,
            contentFilter: ContentFilter = .low
        ) {
            self.query = query
            self.orientation = orientation
            self.color = color
            self.order = order
            self.contentFilter = contentFilter
        }
    }
}

extension Feed {
    /// A text that is equal only for equal feeds, in every run.
    ///
    /// The checksum of a cursor and the shared record of a page cover it.
    package var identity: String {
        switch self {
        case .editorial: "editorial"
        case .search(let search):
            """
            search/\(search.orientation?.rawValue ?? "")/\(search.color?.rawValue ?? "")/\(search.order.rawValue)\
            /\(search.contentFilter.rawValue)/\(search.query)
            """
        case .topic(let slug, let order, let orientation):
            "topic/\(order.rawValue)/\(orientation?.rawValue ?? "")/\(slug)"
        case .collection(let id, let orientation): "collection/\(orientation?.rawValue ?? "")/\(id)"
        }
    }
}
