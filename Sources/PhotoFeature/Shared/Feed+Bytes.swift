import PhotoFeed
import SharedState

extension ByteWriter {
    /// Appends a feed.
    mutating func put(_ feed: Feed) {
        switch feed {
        case .editorial:
            put(UInt8(0))
        case .search(let search):
            put(UInt8(1))
            put(search.query)
            put(search.orientation?.rawValue)
            put(search.color?.rawValue)
            put(search.order.rawValue)
            put(search.contentFilter.rawValue)
        case .topic(let slug, let order, let orientation):
            put(UInt8(2))
            put(slug)
            put(order.rawValue)
            put(orientation?.rawValue)
        case .collection(let id, let orientation):
            put(UInt8(3))
            put(id)
            put(orientation?.rawValue)
        }
    }
}

extension ByteReader {
    /// Reads a feed.
    mutating func feed() throws(StoredBytesError) -> Feed {
        switch try byte() {
        case 0:
            .editorial
        case 1:
            .search(
                Feed.Search(
                    query: try shortText(),
                    orientation: try optionalChoice(),
                    color: try optionalChoice(),
                    order: try choice(),
                    contentFilter: try choice()
                )
            )
        case 2:
            .topic(try libraryName(), order: try choice(), orientation: try optionalChoice())
        case 3:
            .collection(try libraryName(), orientation: try optionalChoice())
        case let kind:
            throw .unknownKind(kind)
        }
    }

    private mutating func choice<Choice: RawRepresentable<String>>() throws(StoredBytesError) -> Choice {
        guard let choice = Choice(rawValue: try text()) else { throw .invalid(reason: "a photo") }
        return choice
    }

    private mutating func optionalChoice<Choice: RawRepresentable<String>>() throws(StoredBytesError) -> Choice? {
        try flag() ? try choice() : nil
    }
}
