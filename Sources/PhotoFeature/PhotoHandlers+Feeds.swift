package import HTTPExchange
import HTTPTypes
import PhotoFeed

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
        try context.traced {
            let key = RenderedPage.Key(target: request.target.raw, hotlinkBase: service.hotlinkBase(request))
            if let page = service.cachedPage(key) { return .now(page.response(now: service.now)) }
            let query = try Query(request.target, allowing: own + PageQuery.names + PhotoFilter.names)
            let feed = try feed(query)
            let position = try PageQuery(query, of: feed)
            let (limit, filter) = (position.limit, try PhotoFilter(query))
            let wanted = FeedLibrary.Request(feed: feed, start: position.start, limit: limit, filter: filter)
            let writer = service.writer(key.hotlinkBase)
            let response = { @Sendable [service] (answer: PhotoService.SliceAnswer) -> Response in
                let page = service.page(key, of: answer.slice) {
                    RenderedPage(answer.slice, wanted, writer) { next, previous in
                        position.links(from: request.target, next: next, previous: previous)
                    }
                }
                return page.response(answer.status, now: service.now)
            }
            if let slice = service.cachedSlice(wanted) { return .now(response(slice)) }
            return .later { [service] in response(try await service.slice(wanted)) }
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
