import HTTPExchange
import JSON

/// The pages of the API: the feed, and the lists that look like it.
struct ListHandlers: Sendable {
    let library: LibraryState

    /// `GET /photos`: the newest first; the upstream has had no other order since 2024.
    func feed(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        return .now(list(library.newestFirst, asking, asking.tracking("all")))
    }

    /// `GET /topics/{slug}/photos`; here `order_by=oldest` still means something.
    func topicPhotos(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let topic = try topic(context)
        let photos = library.newestFirst.filter { $0.topics.contains(topic) }
        let ordered = asking.query["order_by"] == "oldest" ? Array(photos.reversed()) : photos
        return .now(list(ordered, asking, asking.tracking("topic", collection: topic.id)))
    }

    /// `GET /collections/{id}/photos`.
    func collectionPhotos(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let id = context.parameters.require("id")
        guard let collection = PhotoCollection.all.first(where: { $0.id == id }) else { throw .notFound("Collection") }
        let photos = library.newestFirst.filter(collection.contains)
        return .now(list(photos, asking, asking.tracking("collection", collection: id)))
    }

    /// `GET /users/{username}/photos`.
    func userPhotos(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let username = context.parameters.require("username")
        guard let index = Photographer.all.firstIndex(where: { $0.username == username }) else {
            throw .notFound("User")
        }
        return .now(list(library.newestFirst.filter { $0.photographer == index }, asking, asking.tracking("user")))
    }

    /// `GET /topics`.
    func topics(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let page = ListPage(asking.query, total: Topic.all.count)
        var json = JSONWriter(capacity: 4096)
        json.array { json in
            for topic in Topic.all[page.range] { asking.writer.topic(topic, to: &json) }
        }
        return .now(asking.response(json.bytes, page: page))
    }

    /// `GET /topics/{slug}`.
    func topic(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let topic = try topic(context)
        var json = JSONWriter(capacity: 1024)
        asking.writer.topic(topic, to: &json)
        return .now(asking.response(json.bytes))
    }

    /// `GET /search/photos`: at most 200 pages of what has all words of `query`.
    ///
    /// After those it says that there is nothing, whatever it said before.
    func search(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let text = asking.query["query"] ?? ""
        guard !text.allSatisfy(\.isWhitespace) else { throw .missing("query") }
        if text.lowercased().contains("casino") { throw .flaggedSearch }
        var found = library.found(asking.query)
        if asking.query["order_by"] != "latest" { found.sort { ($1.likes, $1.number) < ($0.likes, $0.number) } }
        if asking.query.positive("page", or: 1) > Self.searchPageLimit { found = [] }
        let page = ListPage(asking.query, total: found.count)
        var json = JSONWriter(capacity: 65_536)
        json.object { json in
            json.member("total", found.count)
            json.member("total_pages", page.count)
            json.array("results") { json in
                write(
                    library.entries(of: page, in: found, asking),
                    asking.tracking("search", text: text),
                    asking,
                    &json
                )
            }
        }
        return .now(asking.response(json.bytes, page: page))
    }

    private static let searchPageLimit = 200

    private func topic(_ context: Context) throws(WireError) -> Topic {
        let name = context.parameters.require("slug")
        guard let topic = Topic.all.first(where: { $0.slug == name || $0.id == name }) else { throw .notFound("Topic") }
        return topic
    }

    private func list(_ photos: [CataloguePhoto], _ asking: Asking, _ tracking: TrackingID) -> Response {
        let page = ListPage(asking.query, total: photos.count)
        var json = JSONWriter(capacity: 65_536)
        json.array { json in write(library.entries(of: page, in: photos, asking), tracking, asking, &json) }
        return asking.response(json.bytes, page: page)
    }

    private func write(
        _ entries: [(position: Int, photo: CataloguePhoto)],
        _ tracking: TrackingID,
        _ asking: Asking,
        _ json: inout JSONWriter
    ) {
        for entry in entries {
            var tracking = tracking
            tracking.position = entry.position + 1
            asking.writer.photo(entry.photo, tracking, to: &json)
        }
    }
}
