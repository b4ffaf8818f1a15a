import HTTPExchange
import HTTPTypes

/// The upstream's API: lists, single photos and download reports.
struct APIHandlers: Sendable {
    let catalogue: Catalogue
    let faults: FaultInjector
    let counters: RequestCounters

    // MARK: Lists

    /// `GET /photos`: the newest first; the upstream has had no other order since 2024.
    func feed(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        list(catalogue.newestFirst, request, request.tracking("all"))
    }

    /// `GET /topics/{slug}/photos`, with `order_by=oldest`.
    func topicPhotos(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let topic = try topic(names)
        let photos = catalogue.newestFirst.filter { $0.topics.contains(topic) }
        let ordered = request.query["order_by"] == "oldest" ? Array(photos.reversed()) : photos
        return list(ordered, request, request.tracking("topic", collection: topic.id))
    }

    /// `GET /collections/{id}/photos`.
    func collectionPhotos(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let id = names.require("id")
        let (divisor, remainder) = try PhotoCollection.all[id].orNotFound("Collection")
        let photos = catalogue.newestFirst.filter { $0.number % divisor == remainder }
        return list(photos, request, request.tracking("collection", collection: id))
    }

    /// `GET /users/{username}/photos`.
    func userPhotos(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let photographer = try photographer(names.require("username"))
        return list(catalogue.newestFirst.filter { $0.photographer == photographer }, request, request.tracking("user"))
    }

    /// `GET /topics`.
    func topics(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let page = ListPage(request.query, total: Topic.all.count)
        return request.response("[\(.list(Topic.all[page.range].map(request.topic)))]", page: page)
    }

    /// `GET /topics/{slug}`.
    func topic(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        request.response(request.topic(try topic(names)))
    }

    /// `GET /search/photos`: at most 200 pages of the photos with all words of `query`; beyond them the total is 0.
    func search(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let text = request.query["query"] ?? ""
        if text.allSatisfy(\.isWhitespace) { throw WireError(status: .badRequest, message: "query is missing") }
        if text.lowercased().contains("casino") {
            throw WireError(status: .gone, message: "This search has been flagged as spam")
        }
        var found = catalogue.search(request.query)
        if request.query["order_by"] != "latest" { found.sort { ($1.likes, $1.number) < ($0.likes, $0.number) } }
        if request.query.positive("page", or: 1) > 200 { found = [] }
        let page = ListPage(request.query, total: found.count)
        let results = results(page, of: found, request, request.tracking("search", text: text))
        let json: WireJSON = "{\"total\":\(found.count),\"total_pages\":\(page.count),\"results\":[\(results)]}"
        return request.response(json, page: page)
    }

    private func list(_ photos: [CataloguePhoto], _ request: APIRequest, _ tracking: TrackingID) -> Response {
        let page = ListPage(request.query, total: photos.count)
        return request.response("[\(results(page, of: photos, request, tracking))]", page: page)
    }

    private func results(
        _ page: ListPage,
        of photos: [CataloguePhoto],
        _ request: APIRequest,
        _ tracking: TrackingID
    ) -> WireJSON {
        let (photos, published) = faults.consumeListFaults(request.target, page: page.range, of: photos)
        defer { catalogue.publish(published) }
        return .list(
            photos.enumerated().map { index, photo in
                var tracking = tracking
                tracking.position = page.range.lowerBound + index + 1
                return request.photo(photo, tracking)
            }
        )
    }

    // MARK: Single photos

    /// `GET /photos/{id}`, which takes a slug as well.
    func detail(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        request.response(request.detail(try photo(names), request.tracking("rb-detail")))
    }

    /// `GET /photos/random`: one photo, or with `count` a list of at most 30.
    func random(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        var photos = catalogue.search(request.query)
        if let username = request.query["username"] {
            let photographer = try photographer(username)
            photos.removeAll { $0.photographer != photographer }
        }
        if photos.isEmpty { throw WireError(status: .notFound, message: "No photos found.") }
        let count = min(request.query.positive("count", or: 1), ListPage.limit)
        let tracking = request.tracking("random")
        let sample = catalogue.sample(count, of: photos).map { request.detail($0, tracking) }
        return request.response(request.query["count"] == nil ? sample[0] : "[\(.list(sample))]")
    }

    /// `GET /photos/{id}/download`: reports a download, which needs the `ixid` of the photo's `download_location`.
    func download(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let photo = try photo(names)
        guard let ixid = request.query["ixid"], !ixid.isEmpty else {
            let message = "ixid is missing: call links.download_location with all of its parameters"
            throw WireError(status: .unprocessableContent, message: message)
        }
        counters.update { $0.trackedDownloads += 1 }
        let url = "\(request.base)/images/\(photo.file)?crop=entropy&cs=srgb&fm=jpg&ixid=\(ixid)&q=85"
        return request.response("{\"url\":\(url)}")
    }

    // MARK: Names

    private func photo(_ names: PathParameters) throws(WireError) -> CataloguePhoto {
        try catalogue.photo(idOrSlug: names.require("id")).orNotFound("Photo")
    }

    private func topic(_ names: PathParameters) throws(WireError) -> Topic {
        let name = names.require("slug")
        return try Topic.all.first { $0.slug == name || $0.id == name }.orNotFound("Topic")
    }

    private func photographer(_ username: String) throws(WireError) -> Int {
        try Photographer.all.firstIndex { $0.username == username }.orNotFound("User")
    }
}
