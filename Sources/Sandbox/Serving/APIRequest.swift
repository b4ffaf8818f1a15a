import HTTPExchange

/// A request to the API, with everything that its answer needs.
struct APIRequest: Sendable {
    let query: WireQuery
    let target: Target
    let catalogue: Catalogue
    /// The beginning of all links, such as `http://127.0.0.1:9000`: the authority that the client used.
    let base: String
    /// Unix time in seconds.
    let now: Int

    init(_ request: Request, _ catalogue: Catalogue, now: Int) {
        query = WireQuery(request.target)
        target = request.target
        self.catalogue = catalogue
        base = "http://\(request.fields[.host] ?? "127.0.0.1")"
        self.now = now
    }

    /// The `ixid` of the pictures in this answer.
    func tracking(_ feed: String, collection: String = "", text: String = "") -> TrackingID {
        TrackingID(feed: feed, collection: collection, searchText: text, time: now)
    }

    /// Returns a success with the upstream's fields, which allow neither storing nor revalidation.
    func response(_ json: WireJSON, page: ListPage? = nil) -> Response {
        var response = Response.json(
            Array(json.text.utf8),
            fields: [
                .cacheControl: "no-cache, no-store, must-revalidate", .vary: "Origin, Authorization",
                .accessControlExposeHeaders: "Link,X-Total,X-Per-Page,X-RateLimit-Limit,X-RateLimit-Remaining",
            ]
        )
        guard let page else { return response }
        response.fields[.xTotal] = String(page.total)
        response.fields[.xPerPage] = String(page.size)
        response.fields[.link] = page.link(base: base, path: target.path, query)
        return response
    }
}
