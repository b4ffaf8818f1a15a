package import HTTPExchange
import PhotoLibrary
import Primitives

extension PhotoHandlers {
    /// `GET /v1/photos`: a page of the feed.
    package func feed(_ request: Request, _ context: Context) throws -> Reply {
        try page(request, context) { _ in .editorial }
    }

    /// `GET /v1/search/photos`: a page of a search.
    package func search(_ request: Request, _ context: Context) throws -> Reply {
        try page(request, context, "query", "orientation", "color", "orderBy", "contentFilter") { query in
            let text = try query.requiredString("query").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard 1...200 ~= text.unicodeScalars.count else {
                throw Problem.invalidParameter("query", "must be 1 to 200 characters besides its spaces")
            }
            return .search(
                text,
                orientation: try query.choice("orientation", of: Feed.Orientation.self),
                color: try query.choice("color", of: Feed.SearchColor.self),
                order: try query.choice("orderBy", of: Feed.SearchOrder.self) ?? .relevant,
                contentFilter: try query.choice("contentFilter", of: Feed.ContentFilter.self) ?? .low
            )
        }
    }

    /// `GET /v1/topics/{slug}/photos`: a page of a topic.
    package func topic(_ request: Request, _ context: Context) throws -> Reply {
        try page(request, context, "orderBy", "orientation") { query in
            .topic(
                try context.parameters.libraryName("slug"),
                order: try query.choice("orderBy", of: Feed.TopicOrder.self) ?? .latest,
                orientation: try query.choice("orientation", of: Feed.Orientation.self)
            )
        }
    }

    /// `GET /v1/collections/{id}/photos`: a page of a collection.
    package func collection(_ request: Request, _ context: Context) throws -> Reply {
        try page(request, context, "orientation") { query in
            .collection(
                try context.parameters.libraryName("id"),
                orientation: try query.choice("orientation", of: Feed.Orientation.self)
            )
        }
    }

    /// A page of the feed that `feed` reads from the query; `own` are the parameters besides those of every page.
    private func page(
        _ request: Request,
        _ context: Context,
        _ own: String...,
        feed: (Query) throws -> Feed
    ) throws -> Reply {
        try service.reply(to: request, context) {
            let key = RenderedPage.Key(target: request.target.raw, hotlinkBase: service.hotlinkBase(request))
            if let page = service.cachedPage(key) { return .now(page.response(now: service.now)) }
            let query = try Query(request.target, allowing: own + PageQuery.names + PhotoFilter.names)
            let feed = try feed(query)
            let position = try PageQuery(query, of: feed, service.clock)
            let (limit, filter) = (position.limit, try PhotoFilter(query))
            let sliceRequest = FeedLibrary.Request(feed: feed, start: position.start, limit: limit, filter: filter)
            let writer = PhotoJSON(configuration: service.configuration, hotlinkBase: key.hotlinkBase)
            let response = { @Sendable [service] (answer: PhotoService.SliceAnswer) -> Response in
                let page = service.page(key, of: answer.slice) {
                    RenderedPage(answer.slice, sliceRequest, writer, service.clock) { next, previous in
                        position.links(from: request.target, next: next, previous: previous)
                    }
                }
                return page.response(answer.status, now: service.now)
            }
            if let slice = service.cachedSlice(sliceRequest) { return .now(response(slice)) }
            return .later { [service] in response(try await service.slice(sliceRequest)) }
        }
    }
}

extension PhotoFilter {
    fileprivate static let names = ["sponsored", "premium"]

    private enum Choice: String, CaseIterable {
        case include, exclude
    }

    fileprivate init(_ query: Query) throws(Problem) {
        self.init()
        excludesSponsored = try query.choice("sponsored", of: Choice.self) == .exclude
        excludesPremium = try query.choice("premium", of: Choice.self) == .exclude
    }
}

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
    init(_ query: Query, of feed: Feed, _ clock: SteadyClock) throws(Problem) {
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
        start = .cursor(cursor, fetched: clock.moment(of: cursor.fetched))
    }

    /// The Link field of a page (RFC 8288): first, prev and next.
    ///
    /// Links keep the parameters of the feed. `next` has a cursor, since only a cursor excludes duplicates. Targets have
    /// only the characters that RFC 3986 allows, so that text of a client cannot end a link and begin another.
    func links(from target: Target, next: String?, previous: String?) -> String {
        let path = PercentEncoding.encodeIllegal(in: target.path)
        let kept = target.queryPairs.filter { !PageQuery.names.contains($0.name ?? "") }
            .map { PercentEncoding.encodeIllegal(in: $0.text) }
        var links = PageLinks()
        func add(_ relation: String, _ position: String...) {
            links.add(relation, "\(path)?\((kept + position).joined(separator: "&"))")
        }
        if let page {
            add("first", "page=1", "perPage=\(limit)")
            if page > 1 { add("prev", "page=\(page - 1)", "perPage=\(limit)") }
        } else {
            add("first", "limit=\(limit)")
            if let previous { add("prev", "cursor=\(previous)", "limit=\(limit)") }
        }
        if let next { add("next", "cursor=\(next)", "limit=\(limit)") }
        return links.text
    }
}
