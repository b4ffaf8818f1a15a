import HTTPExchange

/// A request to the API, read: what its answer is made with.
struct Asking: Sendable {
    let query: WireQuery
    let target: Target
    let writer: WireWriter

    /// The `ixid` of the pictures in this answer.
    func tracking(_ feed: String, collection: String = "", text: String = "") -> TrackingID {
        TrackingID(
            application: writer.application,
            feed: feed,
            collection: collection,
            searchText: text,
            time: writer.now
        )
    }

    /// A success, with what the upstream puts around all of them: nothing may be stored, and nothing can be revalidated.
    func response(_ json: [UInt8], page: ListPage? = nil) -> Response {
        var response = Response.json(
            json,
            fields: [
                .cacheControl: "no-cache, no-store, must-revalidate", .vary: "Origin, Authorization",
                .accessControlExposeHeaders: "Link,X-Total,X-Per-Page,X-RateLimit-Limit,X-RateLimit-Remaining",
            ]
        )
        guard let page else { return response }
        response.fields[.xTotal] = String(page.total)
        response.fields[.xPerPage] = String(page.size)
        response.fields[.link] = page.link(base: writer.base, path: target.path, query)
        return response
    }
}
