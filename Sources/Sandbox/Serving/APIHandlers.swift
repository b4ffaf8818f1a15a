import HTTPExchange
import JSON

/// The upstream's API: lists, single photos and download reports.
struct APIHandlers: Sendable {
    let library: LibraryState
    let faults: FaultInjector
    let counters: RequestCounters

    // MARK: Lists

    /// `GET /photos`: the newest first; the upstream has had no other order since 2024.
    func feed(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        list(library.newestFirst, request, request.tracking("all"))
    }

    /// `GET /topics/{slug}/photos`, with `order_by=oldest`.
    func topicPhotos(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let topic = try topic(names)
        let photos = library.newestFirst.filter { $0.topics.contains(topic) }
        let ordered = request.query["order_by"] == "oldest" ? Array(photos.reversed()) : photos
        return list(ordered, request, request.tracking("topic", collection: topic.id))
    }

    /// `GET /collections/{id}/photos`.
    func collectionPhotos(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let id = names.require("id")
        guard let collection = PhotoCollection.all[id] else { throw .notFound("Collection") }
        let photos = library.newestFirst.filter(collection.contains)
        return list(photos, request, request.tracking("collection", collection: id))
    }

    /// `GET /users/{username}/photos`.
    func userPhotos(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let photographer = try photographer(names.require("username"))
        return list(library.newestFirst.filter { $0.photographer == photographer }, request, request.tracking("user"))
    }

    /// `GET /topics`.
    func topics(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let page = ListPage(request.query, total: Topic.all.count)
        var json = JSONWriter(capacity: 4096)
        json.array { json in
            for topic in Topic.all[page.range] { json.value(request.writer.topic(topic)) }
        }
        return request.response(json.bytes, page: page)
    }

    /// `GET /topics/{slug}`.
    func topic(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        var json = JSONWriter(capacity: 1024)
        json.value(request.writer.topic(try topic(names)))
        return request.response(json.bytes)
    }

    /// `GET /search/photos`: at most 200 pages of the photos that have all words of `query`.
    ///
    /// Beyond them the total is 0, as on the upstream.
    func search(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let text = request.query["query"] ?? ""
        guard !text.allSatisfy(\.isWhitespace) else { throw .missing("query") }
        if text.lowercased().contains("casino") { throw .flaggedSearch }
        var found = library.search(request.query)
        if request.query["order_by"] != "latest" { found.sort { ($1.likes, $1.number) < ($0.likes, $0.number) } }
        if request.query.positive("page", or: 1) > Self.searchPageLimit { found = [] }
        let page = ListPage(request.query, total: found.count)
        var json = JSONWriter(capacity: 65_536)
        json.object { json in
            json.member("total", found.count)
            json.member("total_pages", page.count)
            json.array("results") { json in
                write(page, of: found, request, request.tracking("search", text: text), &json)
            }
        }
        return request.response(json.bytes, page: page)
    }

    private static let searchPageLimit = 200

    private func list(_ photos: [CataloguePhoto], _ request: APIRequest, _ tracking: TrackingID) -> Response {
        let page = ListPage(request.query, total: photos.count)
        var json = JSONWriter(capacity: 65_536)
        json.array { json in write(page, of: photos, request, tracking, &json) }
        return request.response(json.bytes, page: page)
    }

    private func write(
        _ page: ListPage,
        of photos: [CataloguePhoto],
        _ request: APIRequest,
        _ tracking: TrackingID,
        _ json: inout JSONWriter
    ) {
        let fault = faults.consumeListFault(request.target)
        for (index, photo) in fault.page(page.range, of: photos).enumerated() {
            var tracking = tracking
            tracking.position = page.range.lowerBound + index + 1
            json.value(request.writer.photo(photo, tracking))
        }
        if fault.published > 0 { library.catalogue.publish(fault.published) }
    }

    // MARK: Single photos

    /// `GET /photos/{id}`, which takes a slug as well.
    func detail(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        var json = JSONWriter(capacity: 4096)
        json.value(request.writer.detail(try photo(names), request.tracking("rb-detail")))
        return request.response(json.bytes)
    }

    /// `GET /photos/random`: one photo, or with `count` a list of at most 30.
    func random(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        var photos = library.search(request.query)
        if let username = request.query["username"] {
            let photographer = try photographer(username)
            photos.removeAll { $0.photographer != photographer }
        }
        guard !photos.isEmpty else { throw .noPhotos }
        let tracking = request.tracking("random")
        var json = JSONWriter(capacity: 4096)
        if request.query["count"] == nil {
            // There is at least one.
            json.value(request.writer.detail(library.sample(1, of: photos)[0], tracking))
        } else {
            let count = min(request.query.positive("count", or: 1), ListPage.limit)
            json.array { json in
                for photo in library.sample(count, of: photos) { json.value(request.writer.detail(photo, tracking)) }
            }
        }
        return request.response(json.bytes)
    }

    /// `GET /photos/{id}/download`: reports a download, which needs the `ixid` of the photo's `download_location`.
    func download(_ request: APIRequest, _ names: PathParameters) throws(WireError) -> Response {
        let photo = try photo(names)
        guard let ixid = request.query["ixid"], !ixid.isEmpty else { throw .untrackedDownload }
        counters.update { $0.trackedDownloads += 1 }
        let base = request.writer.pictureBase
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("url", "\(base)/images/\(photo.file)?crop=entropy&cs=srgb&fm=jpg&ixid=\(ixid)&q=85")
        }
        return request.response(json.bytes)
    }

    // MARK: Names

    private func photo(_ names: PathParameters) throws(WireError) -> CataloguePhoto {
        guard let photo = library.catalogue.photo(idOrSlug: names.require("id")) else {
            throw .notFound("Photo")
        }
        return photo
    }

    private func topic(_ names: PathParameters) throws(WireError) -> Topic {
        let name = names.require("slug")
        guard let topic = Topic.all.first(where: { $0.slug == name || $0.id == name }) else { throw .notFound("Topic") }
        return topic
    }

    /// The index of a photographer.
    private func photographer(_ username: String) throws(WireError) -> Int {
        guard let index = Photographer.all.firstIndex(where: { $0.username == username }) else {
            throw .notFound("User")
        }
        return index
    }
}
