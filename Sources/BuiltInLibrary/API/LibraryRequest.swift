import HTTPExchange
import Primitives

/// A request to the library's API, with everything that its answer needs.
struct LibraryRequest: Sendable {
    let target: Target
    let query: WireQuery
    let catalogue: Catalogue
    /// The beginning of all links, such as `http://127.0.0.1:9000`: the authority that the client used.
    let base: String
    /// Unix time in seconds.
    let now: Int

    /// Answers with a list, one of its entries, or the report of a download.
    func answer() throws(WireError) -> WireAnswer {
        let names = target.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.decode($0) ?? String($0) }
        let name = names.count > 1 ? names[1] : ""
        switch (names.count, names[0], names.count > 2 ? names[2] : nil) {
        // The newest first; the upstream has had no other order since 2024.
        case (1, "photos", _): return list(catalogue.photos, "all")
        case (2, "photos", _) where name == "random": return try random()
        case (2, "photos", _): return WireAnswer(json: detail(try photo(name), ixid("rb-detail")))
        case (3, "photos", "download"): return try download(of: name)
        case (3, "photos", "statistics"): return WireAnswer(json: statistics(of: try photo(name)))
        case (2, "search", _): return try search(name)
        case (1, "topics", _):
            let page = ListPage(query, total: Topic.all.count)
            return WireAnswer(json: "[\(.list(Topic.all[page.range].map(topic)))]", page: page)
        case (2, "topics", _): return WireAnswer(json: topic(try topic(named: name)))
        case (3, "topics", "photos"):
            let topic = try topic(named: name)
            return list(ordered(photos { $0.topics.contains(topic) }), "topic", collection: topic.id)
        case (1, "collections", _):
            let page = ListPage(query, total: PhotoCollection.all.count)
            return WireAnswer(json: "[\(.list(PhotoCollection.all[page.range].map(collection)))]", page: page)
        case (2, "collections", _): return WireAnswer(json: collection(try collection(named: name)))
        case (3, "collections", "photos"):
            let collection = try collection(named: name)
            return list(photos(collection.has), "collection", collection: name)
        case (2, "users", _): return WireAnswer(json: user(try photographer(name)))
        case (3, "users", "photos"):
            let photographer = try photographer(name)
            return list(ordered(photos { $0.photographer == photographer }), "user")
        default: throw .notFound("Page")
        }
    }

    /// At most 200 pages of the photos, collections or users with all words of `query`; beyond them the total is 0.
    private func search(_ kind: String) throws(WireError) -> WireAnswer {
        let text = query["query"] ?? ""
        if text.allSatisfy(\.isWhitespace) { throw WireError(status: 400, message: "query is missing") }
        if text.lowercased().contains("casino") {
            throw WireError(status: 410, message: "This search has been flagged as spam")
        }
        let words = SearchWords(text)
        switch kind {
        case "photos":
            var photos = catalogue.search(query)
            if query["order_by"] != "latest" { photos.sort { ($1.likes, $1.number) < ($0.likes, $0.number) } }
            return results(photos) { photo(photos[$0], ixid("search", text: text, position: $0 + 1)) }
        case "collections":
            let collections = PhotoCollection.all.filter { words.areAll(in: [$0.title]) }
            return results(collections) { collection(collections[$0]) }
        case "users":
            let users = Photographer.all.indices.filter { index in
                let person = Photographer.all[index]
                return words.areAll(in: [person.username, person.name])
            }
            return results(users) { user(users[$0]) }
        default: throw .notFound("Page")
        }
    }

    private func results(_ all: [some Any], _ entry: (Int) -> WireJSON) -> WireAnswer {
        let page = ListPage(query, total: query.positive("page", or: 1) > 200 ? 0 : all.count)
        let results = WireJSON.list(page.range.map(entry))
        return WireAnswer(
            json: "{\"total\":\(page.total),\"total_pages\":\(page.count),\"results\":[\(results)]}",
            page: page
        )
    }

    /// One photo, or with `count` a list of at most 30.
    private func random() throws(WireError) -> WireAnswer {
        var photos = catalogue.search(query)
        if let username = query["username"] {
            let photographer = try photographer(username)
            photos.removeAll { $0.photographer != photographer }
        }
        if photos.isEmpty { throw WireError(status: 404, message: "No photos found.") }
        let count = min(query.positive("count", or: 1), ListPage.limit)
        let sample = catalogue.sample(count, of: photos).map { detail($0, ixid("random")) }
        return WireAnswer(json: query["count"] == nil ? sample[0] : "[\(.list(sample))]")
    }

    /// Reports a download, which needs the `ixid` of the photo's `download_location`.
    private func download(of name: String) throws(WireError) -> WireAnswer {
        let photo = try photo(name)
        guard let ixid = query["ixid"], !ixid.isEmpty else {
            let message = "ixid is missing: call links.download_location with all of its parameters"
            throw WireError(status: 422, message: message)
        }
        let url = "\(base)/images/\(photo.file)?crop=entropy&cs=srgb&fm=jpg&ixid=\(ixid)&q=85"
        return WireAnswer(json: "{\"url\":\(url)}")
    }

    /// The listed photos with the `orientation` of the query, the newest first.
    private func photos(_ isListed: (CataloguePhoto) -> Bool) -> [CataloguePhoto] {
        let orientation = query["orientation"]
        return catalogue.photos.filter { isListed($0) && (orientation == nil || $0.orientation == orientation) }
    }

    private func ordered(_ photos: [CataloguePhoto]) -> [CataloguePhoto] {
        query["order_by"] == "oldest" ? photos.reversed() : photos
    }

    private func list(_ photos: [CataloguePhoto], _ feed: String, collection: String = "") -> WireAnswer {
        let page = ListPage(query, total: photos.count)
        let entries = page.range.map { photo(photos[$0], ixid(feed, collection: collection, position: $0 + 1)) }
        return WireAnswer(json: "[\(.list(entries))]", page: page)
    }

    /// The upstream's `ixid`: a record of the list that showed a picture, in every image URL, view and download report.
    ///
    /// Fields separated by `|`, in unpadded base64, among them the application of every key, the topic or collection, and the
    /// position in the whole list, from 1. The URL of a photo therefore differs in every list and second.
    func ixid(_ feed: String, collection: String = "", text: String = "", position: Int? = nil) -> String {
        let words = text.split(separator: "|").joined(separator: " ")
        let fields = [
            "3", "424242", "0", "1", feed, position.map(String.init) ?? "", collection, words,
            text.isEmpty ? "" : "en", text.isEmpty ? "" : "0", "", "", "", String(now), "0",
        ]
        return Base64.encode(Array(fields.joined(separator: "|").utf8), .url)
    }

    private func photo(_ idOrSlug: String) throws(WireError) -> CataloguePhoto {
        try catalogue.photo(idOrSlug: idOrSlug).orNotFound("Photo")
    }

    private func topic(named name: String) throws(WireError) -> Topic {
        try Topic.all.first { $0.slug == name || $0.id == name }.orNotFound("Topic")
    }

    private func collection(named id: String) throws(WireError) -> PhotoCollection {
        try PhotoCollection.all.first { $0.id == id }.orNotFound("Collection")
    }

    private func photographer(_ username: String) throws(WireError) -> Int {
        try Photographer.all.firstIndex { $0.username == username }.orNotFound("User")
    }
}
