import HTTPExchange
import JSON

/// Single photos: details, random picks, and the report of a download.
struct PhotoHandlers: Sendable {
    let library: LibraryState
    let counters: Counters

    /// `GET /photos/{id}`, which takes a slug as well.
    func detail(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let photo = try photo(context)
        var json = JSONWriter(capacity: 4096)
        asking.writer.detail(photo, asking.tracking("rb-detail"), to: &json)
        return .now(asking.response(json.bytes))
    }

    /// `GET /photos/random`: one photo, or with `count` a list of at most 30.
    func random(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        var photos = library.found(asking.query)
        if let username = asking.query["username"] {
            guard let index = Photographer.all.firstIndex(where: { $0.username == username }) else {
                throw .notFound("User")
            }
            photos.removeAll { $0.photographer != index }
        }
        guard !photos.isEmpty else { throw .noPhotos }
        let tracking = asking.tracking("random")
        var json = JSONWriter(capacity: 4096)
        if asking.query["count"] == nil {
            // There is at least one.
            asking.writer.detail(library.sample(1, of: photos)[0], tracking, to: &json)
        } else {
            let count = min(asking.query.positive("count", or: 1), ListPage.limit)
            json.array { json in
                for photo in library.sample(count, of: photos) { asking.writer.detail(photo, tracking, to: &json) }
            }
        }
        return .now(asking.response(json.bytes))
    }

    /// `GET /photos/{id}/download`: reports a download.
    ///
    /// Without the `ixid` of the photo's `download_location` it would credit nobody.
    func download(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let asking = library.asking(request)
        let photo = try photo(context)
        guard let ixid = asking.query["ixid"], !ixid.isEmpty else { throw .untrackedDownload }
        counters.note { $0.trackedDownloads += 1 }
        let base = photo.isPremium ? asking.writer.premiumBase : asking.writer.pictureBase
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("url", "\(base)/images/\(photo.file)?crop=entropy&cs=srgb&fm=jpg&ixid=\(ixid)&q=85")
        }
        return .now(asking.response(json.bytes))
    }

    private func photo(_ context: Context) throws(WireError) -> CataloguePhoto {
        guard let photo = library.catalogue.photo(idOrSlug: context.parameters.require("id")) else {
            throw .notFound("Photo")
        }
        return photo
    }
}
