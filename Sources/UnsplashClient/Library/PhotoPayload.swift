import JSON
import PhotoFeed

/// Reads the library's JSON.
///
/// Members that we do not use are passed over, and so is a list entry that cannot be shown (without an id, addresses,
/// a size or a photographer): one odd entry must not cost a client the other 29. A document of another shape is refused.
enum PhotoPayload {
    struct Page {
        var photos: [Photo]
        /// From a search, which has these in the document and not in fields.
        var total: Int?
        var hasNext: Bool?
    }

    /// A list, or the results of a search.
    static func page(_ content: [UInt8], of feed: Feed) throws(UpstreamError) -> Page {
        try reading {
            let root = try JSON.parse(content)
            guard case .search = feed else { return Page(photos: try photos(root.array())) }
            let search = try root.object()
            let results = try photos(search.required("results").array())
            // Past its real end a search announces no pages at all.
            let pages = try search.required("total_pages").integer()
            return Page(
                photos: results,
                total: Total.bounded(try search.required("total").integer()),
                hasNext: pages == 0 ? false : nil
            )
        }
    }

    /// One photo with everything about it.
    static func detail(_ content: [UInt8]) throws(UpstreamError) -> PhotoDetail {
        try reading {
            let root = try JSON.parse(content).object()
            var exif = PhotoDetail.Exif()
            if let object = root.object("exif") {
                exif.make = object.text("make")
                exif.model = object.text("model")
                exif.name = object.text("name")
                exif.exposureTime = object.text("exposure_time")
                exif.aperture = object.text("aperture")
                exif.focalLength = object.text("focal_length")
                exif.iso = object.integer("iso")
            }
            return PhotoDetail(
                photo: try photo(root),
                exif: exif,
                location: location(root.object("location")),
                tags: try root.optional("tags")?.unlessNull?.array().compactMap { try? $0.object().text("title") }
                    ?? [],
                views: root.integer("views") ?? 0,
                downloads: root.integer("downloads") ?? 0
            )
        }
    }

    /// The `url` of a tracked download.
    static func downloadURL(_ content: [UInt8]) throws(UpstreamError) -> String {
        try reading { try JSON.parse(content).object().required("url").string() }
    }

    /// Refuses what is not JSON.
    static func check(_ content: [UInt8]) throws(UpstreamError) {
        try reading { _ = try JSON.parse(content) }
    }

    private static func photos(_ array: JSONArray) throws -> [Photo] {
        let photos = array.compactMap { element in try? photo(element.object()) }
        guard !photos.isEmpty || array.isEmpty else { throw array.error("has no photo") }
        return photos
    }

    private static func photo(_ object: JSONObject) throws -> Photo {
        let id = try object.required("id").string()
        let urls = try object.required("urls").object()
        let user = try object.required("user").object()
        let raw = try urls.required("raw").string()
        guard !id.isEmpty else { throw object.error("has no id") }
        return Photo(
            id: id,
            slug: object.text("slug") ?? id,
            width: try object.required("width").integer(in: 1...1_000_000),
            height: try object.required("height").integer(in: 1...1_000_000),
            createdAt: try object.required("created_at").string(),
            color: object.text("color"),
            blurHash: object.text("blur_hash"),
            writtenDescription: object.text("description"),
            altDescription: object.text("alt_description"),
            likes: object.integer("likes") ?? 0,
            sponsored: object.optional("sponsorship")?.unlessNull != nil,
            premium: WebAddress(raw)?.host == "plus.unsplash.com" || object.isTrue("premium") || object.isTrue("plus"),
            hotlinks: Photo.Hotlinks(
                raw: raw,
                full: try urls.required("full").string(),
                regular: try urls.required("regular").string(),
                small: try urls.required("small").string(),
                thumb: try urls.required("thumb").string()
            ),
            downloadLocation: object.object("links")?.text("download_location") ?? "",
            user: Photo.Photographer(
                username: try user.required("username").string(),
                name: try user.required("name").string()
            )
        )
    }

    private static func location(_ object: JSONObject?) -> PhotoDetail.Location {
        var location = PhotoDetail.Location()
        guard let object else { return location }
        location.name = object.text("name")
        location.city = object.text("city")
        location.country = object.text("country")
        if let position = object.object("position"), let latitude = position.number("latitude"),
            let longitude = position.number("longitude"), latitude != 0 || longitude != 0
        {
            location.latitude = latitude
            location.longitude = longitude
        }
        return location
    }

    /// Whatever the reader finds wrong is the library's fault; where it was goes into the error, what it was does not.
    private static func reading<Value>(_ body: () throws -> Value) throws(UpstreamError) -> Value {
        do {
            return try body()
        } catch let error as JSONError {
            throw .invalid(error.isMalformed ? "not JSON" : "unexpected JSON at \(error.pointer)")
        } catch {
            throw .invalid("unexpected JSON")
        }
    }
}

/// Members that may be missing, null, or of another type than they should be: then they are nil.
extension JSONObject {
    fileprivate func text(_ name: StaticString) -> String? { try? optional(name)?.unlessNull?.string() }
    fileprivate func number(_ name: StaticString) -> Double? { try? optional(name)?.unlessNull?.double() }
    fileprivate func integer(_ name: StaticString) -> Int? { try? optional(name)?.unlessNull?.integer() }
    fileprivate func object(_ name: StaticString) -> JSONObject? { try? optional(name)?.unlessNull?.object() }
    fileprivate func isTrue(_ name: StaticString) -> Bool { (try? optional(name)?.bool()) ?? false }
}
