package import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed

/// The handlers of photos: answer at once from the cache, or later after a fetch.
package struct PhotoHandlers: Sendable {
    let service: PhotoService
    let pages: RenderedPages
    let asked = AskedPages()
    let writer: PhotoJSON

    package init(_ service: PhotoService) {
        self.service = service
        writer = PhotoJSON(appName: service.configuration.appName)
        pages = RenderedPages(writer)
    }

    /// `GET /v1/photos/{id}?detail=basic|full`: one photo by its id or slug.
    package func photo(_ request: Request, _ context: Context) throws -> Reply {
        try context.traced {
            let query = try Query(request.target, allowing: ["detail"])
            let isFull = try query.choice("detail", of: Detail.self) == .full
            let id = try context.parameters.photo()
            let ownHotlinks = service.ownHotlinks(request)
            if let photo = service.readingPhoto(id, isFull: isFull) { return .now(response(photo, ownHotlinks)) }
            return .later { [self] in response(try await service.photo(id, isFull: isFull), ownHotlinks) }
        }
    }

    private enum Detail: String, CaseIterable {
        case basic
        case full
    }

    private func response(_ served: PhotoService.ServedPhoto, _ ownHotlinks: String?) -> Response {
        var writer = writer
        writer.ownHotlinks = ownHotlinks
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            writer.members(of: served.photo, in: &json)
            if let detail = served.detail { writer.members(of: detail, in: &json) }
        }
        let age = max(.zero, service.now - served.fetched)
        return .json(
            json.bytes,
            fields: [
                .eTag: EntityTag(hashing: json.bytes).description,
                .cacheControl: Freshness.details.state(age: age) == .fresh ? CacheControl.detail : CacheControl.stale,
                .age: "\(age.components.seconds)",
                .cacheStatus: served.status.text,
            ]
        )
    }
}
