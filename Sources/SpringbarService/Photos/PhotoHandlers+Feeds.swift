package import HTTPExchange
import HTTPTypes
import PhotoFeed

extension PhotoHandlers {
    /// `GET /v1/photos`: a page of the feed.
    package func feed(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: PageQuery.names + FilterQuery.names)
        return try page(of: .editorial, query, request.target)
    }

    /// `GET /v1/search/photos`: a page of a search.
    package func search(_ request: Request, _ context: Context) throws -> Reply {
        let own = ["query", "orientation", "color", "orderBy", "contentFilter"]
        let query = try Query(request.target, allowing: own + PageQuery.names + FilterQuery.names)
        let text = try query.requiredString("query").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard 1...200 ~= text.utf8.count else {
            throw Problem.invalidParameter("query", "has to be 1 to 200 bytes besides its spaces")
        }
        let search = Feed.Search(
            query: text,
            orientation: try query.choice("orientation", of: Feed.Orientation.self),
            color: try query.choice("color", of: Feed.SearchColor.self),
            order: try query.choice("orderBy", of: Feed.SearchOrder.self) ?? .relevant,
            contentFilter: try query.choice("contentFilter", of: Feed.ContentFilter.self) ?? .low
        )
        return try page(of: .search(search), query, request.target)
    }

    /// `GET /v1/topics/{slug}/photos`: a page of a topic.
    package func topic(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(
            request.target,
            allowing: ["orderBy", "orientation"] + PageQuery.names + FilterQuery.names
        )
        let feed = Feed.topic(
            try context.parameters.require("slug", as: PhotoID.init).text,
            order: try query.choice("orderBy", of: Feed.TopicOrder.self) ?? .latest,
            orientation: try query.choice("orientation", of: Feed.Orientation.self)
        )
        return try page(of: feed, query, request.target)
    }

    /// `GET /v1/collections/{id}/photos`: a page of a collection.
    package func collection(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["orientation"] + PageQuery.names + FilterQuery.names)
        let feed = Feed.collection(
            try context.parameters.require("id", as: PhotoID.init).text,
            orientation: try query.choice("orientation", of: Feed.Orientation.self)
        )
        return try page(of: feed, query, request.target)
    }

    /// A page of any feed.
    func page(of feed: Feed, _ query: Query, _ target: Target) throws -> Reply {
        let place = try PageQuery(query, of: feed)
        let filter = try FilterQuery.filter(query)
        let request = FeedLibrary.Request(feed: feed, start: place.start, limit: place.limit, filter: filter)
        let links = PageLinks(target, place)
        if let slice = service.readingSlice(request) { return .now(response(request, slice, links)) }
        return .later { [self] in response(request, try await service.slice(request), links) }
    }

    private func response(
        _ request: FeedLibrary.Request,
        _ served: PhotoService.ServedSlice,
        _ links: PageLinks
    ) -> Response {
        let age = served.age(now: service.now)
        let document = pages.document(request, served.slice, age: age)
        return Response(
            fields: [
                .contentType: "application/json",
                .eTag: document.entityTag,
                .cacheControl: age < Freshness.lists.fresh ? CacheControl.page : CacheControl.stale,
                .age: "\(document.age)",
                .cacheStatus: served.status.text,
                .link: links.field(next: document.nextCursor, previous: document.previousCursor),
            ],
            content: .shared(document.bytes, 0..<document.bytes.count)
        )
    }
}

/// `sponsored=exclude` and `premium=exclude`.
enum FilterQuery {
    static let names = ["sponsored", "premium"]

    private enum Choice: String, CaseIterable {
        case include
        case exclude
    }

    static func filter(_ query: Query) throws(Problem) -> PhotoFilter {
        PhotoFilter(
            excludesSponsored: try query.choice("sponsored", of: Choice.self) == .exclude,
            excludesPremium: try query.choice("premium", of: Choice.self) == .exclude
        )
    }
}
