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

    package enum Orientation: String, Sendable, Hashable, CaseIterable {
        case landscape
        case portrait
        case squarish
    }

    package enum TopicOrder: String, Sendable, Hashable, CaseIterable {
        case latest
        case oldest
        case popular
    }

    package enum SearchOrder: String, Sendable, Hashable, CaseIterable {
        case relevant
        case latest
        case editorial
    }

    package enum ContentFilter: String, Sendable, Hashable, CaseIterable {
        case low
        case high
    }

    /// The colours that a search can be limited to.
    package enum SearchColor: String, Sendable, Hashable, CaseIterable {
        case blackAndWhite = "black_and_white"
        case black
        case white
        case yellow
        case orange
        case red
        case purple
        case magenta
        case green
        case teal
        case blue
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
    /// The checksum of a cursor covers it, so that a cursor of one feed is refused by another.
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
    /// Reads an identity; nil if no feed has it.
    package init?(identity: String) {
        // The words of a search are last, and may contain slashes.
        let parts = identity.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
        func choice<Choice: RawRepresentable<String>>(_ index: Int) -> Choice? { Choice(rawValue: parts[index]) }
        func isEmpty(_ index: Int, or choice: Any?) -> Bool { parts[index].isEmpty || choice != nil }
        switch (parts[0], parts.count) {
        case ("editorial", 1): self = .editorial
        case ("search", 6):
            let (orientation, color): (Orientation?, SearchColor?) = (choice(1), choice(2))
            guard isEmpty(1, or: orientation), isEmpty(2, or: color), let order: SearchOrder = choice(3),
                let filter: ContentFilter = choice(4)
            else { return nil }
            let search = Search(
                query: parts[5],
                orientation: orientation,
                color: color,
                order: order,
                contentFilter: filter
            )
            self = .search(search)
        case ("topic", 4):
            let orientation: Orientation? = choice(2)
            guard let order: TopicOrder = choice(1), isEmpty(2, or: orientation), let slug = LibraryName(parts[3])
            else {
                return nil
            }
            self = .topic(slug.text, order: order, orientation: orientation)
        case ("collection", 3):
            let orientation: Orientation? = choice(1)
            guard isEmpty(1, or: orientation), let id = LibraryName(parts[2]) else { return nil }
            self = .collection(id.text, orientation: orientation)
        default: return nil
        }
    }
}
