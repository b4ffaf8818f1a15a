package import HTTPExchange
import HTTPTypes
import PhotoFeed

extension PhotoHandlers {
    /// `GET /v1/photos`: a page of the feed.
    package func feed(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: PageQuery.names + FilterQuery.names)
        return try page(of: .editorial, query, request.target)
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
