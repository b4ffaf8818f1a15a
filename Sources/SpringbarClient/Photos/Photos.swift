import ClientJSON
public import Foundation

/// The photos of the service.
public struct Photos: Sendable {
    /// The photos of a feed, a search, a topic or a collection.
    public enum Source: Sendable, Hashable {
        /// The feed of new photos.
        case feed
        /// The results of a search; the orientation is `landscape`, `portrait` or `squarish`.
        case search(String, orientation: String? = nil, color: String? = nil)
        /// The photos of a topic, by its slug.
        case topic(String)
        /// The photos of a collection, by its id.
        case collection(String)
    }

    /// The widths, in pixels, that the service produces; others would only miss its cache.
    private static let widths = [200, 320, 400, 640, 750, 828, 1080, 1200, 1440, 1920, 2400]

    let connection: Connection

    /// Returns the pages of a source, of 1 to 100 photos each.
    public func pager(_ source: Source = .feed, limit: Int = 30, ahead: Int = 10) -> PhotoPager {
        PhotoPager(ahead: ahead) { [self] cursor in try await page(of: source, cursor: cursor, limit: limit) }
    }

    /// Returns one page; `cursor` is that of the page before.
    public func page(
        of source: Source = .feed,
        cursor: String? = nil,
        limit: Int = 30
    ) async throws(Problem) -> PhotoPage {
        var query: [(name: String, value: String?)] = []
        let path: String
        switch source {
        case .feed: path = "/v1/photos"
        case .search(let text, let orientation, let color):
            path = "/v1/search/photos"
            query = [("query", text), ("orientation", orientation), ("color", color)]
        case .topic(let slug): path = "/v1/topics/\(ServiceRequest.encoded(slug))/photos"
        case .collection(let id): path = "/v1/collections/\(ServiceRequest.encoded(id))/photos"
        }
        query += [("cursor", cursor), ("limit", "\(limit)")]
        return try await connection.value(PhotoPage.self, ServiceRequest("GET", path, query: query))
    }

    /// Returns a photo, by its id or slug.
    public func photo(_ id: String) async throws(Problem) -> Photo {
        try await connection.value(Photo.self, ServiceRequest("GET", Photos.path(id)))
    }

    /// Returns the address of a picture of a size in points, with `scale` pixels a point, rounded up to a width in use.
    public func imageURL(_ photo: Photo, width: Double, height: Double? = nil, scale: Double) -> URL? {
        URL(string: connection.base + Photos.image(photo, width: width, height: height, scale: scale).target)
    }

    /// Returns the bytes of a picture, from memory if it is fresh; its `ETag` revalidates an older one.
    public func image(
        _ photo: Photo,
        width: Double,
        height: Double? = nil,
        scale: Double
    ) async throws(Problem) -> Data {
        var request = Photos.image(photo, width: width, height: height, scale: scale)
        request.fields["Accept"] = "image/*"
        return Data(try await connection.get(request).content)
    }

    /// Reports a download to the library, as its terms require when a user saves or sets a photo.
    public func trackDownload(of photo: Photo) async throws(Problem) {
        _ = try await connection.send(ServiceRequest("POST", Photos.path(photo.id) + "/download")).document()
    }

    /// Asks the service to fetch pictures that will be needed soon: `thumb`, `small`, `regular` or `full`.
    public func prefetch(_ photos: [Photo], variant: String = "regular") async throws(Problem) {
        let content = JSONDocument.object(["ids": photos.map(\.id), "variant": variant])
        _ = try await connection.send(ServiceRequest("POST", "/v1/photos/prefetch", json: content)).document()
    }

    private static func path(_ id: String) -> String { "/v1/photos/" + ServiceRequest.encoded(id) }

    static func image(_ photo: Photo, width: Double, height: Double?, scale: Double) -> ServiceRequest {
        let largest = widths[widths.count - 1]
        let needed = max(1, width * scale)
        let width = widths.first { Double($0) >= needed } ?? largest
        // The height follows the rounded width, so that a cropped picture keeps its shape.
        let pixelHeight = height.map { height in
            let pixels = max(1, height * scale * Double(width) / needed).rounded(.up)
            return "\(min(largest, Int(exactly: pixels) ?? largest))"
        }
        return ServiceRequest(
            "GET",
            path(photo.id) + "/image",
            query: [("w", "\(width)"), ("h", pixelHeight), ("s", photo.signature)]
        )
    }
}
