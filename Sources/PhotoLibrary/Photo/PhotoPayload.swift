package import JSON
import Primitives

/// The photos of a page of a feed; `total` is the number of photos in the feed, about 10,000 for searches.
package typealias FeedPage = (photos: [Photo], total: Int?, hasNext: Bool)

/// A photo, and the document with its details; nil for a photo of a list.
package typealias PhotoDetail = (photo: Photo, document: JSONObject?)

/// Reads the library's JSON.
///
/// List entries without an id, addresses, a size or a photographer are skipped, so that one bad entry does not cost the
/// other 29. A document of another structure is refused. Thousands of photos are kept, so each text has a limit.
package enum PhotoPayload {
    /// A page of a feed, from 1: a list, or the results of a search, which has its total in the document, not in a field.
    package static func page(_ answer: LibraryAnswer, _ number: Int, of feed: Feed) throws(UpstreamError) -> FeedPage {
        try reading {
            let root = try JSON.parse(answer.content, replacesHalfPairs: true)
            guard case .search = feed else {
                let count = try root.array(atMost: mostEntries).count
                let hasNext = answer.hasNext(after: number, total: answer.total, count: count)
                return (photos: try photos(root), total: answer.total, hasNext: hasNext)
            }
            let search = try root.object()
            let results = try photos(search.required("results"))
            let total = Total.bounded(try search.required("total").integer())
            // After its last page, a search has `total_pages` 0.
            let isPast = try search.required("total_pages").integer() == 0
            let hasNext = answer.hasNext(after: number, total: total, count: results.count)
            return (photos: results, total: total, hasNext: hasNext && !isPast)
        }
    }

    static func detail(_ content: [UInt8]) throws(UpstreamError) -> PhotoDetail {
        try reading {
            let root = try JSON.parse(content, replacesHalfPairs: true).object()
            return (photo: try photo(root), document: root)
        }
    }

    /// The photos in an answer, which must have the structure of its target: a list, a search, or a document such as a photo.
    ///
    /// An answer is kept for all that ask for its target, so it is read here as strictly as in `detail` and in `page`.
    static func photos(in answer: LibraryAnswer, to target: String) throws(UpstreamError) -> [Photo] {
        let path = path(of: target)
        switch (path.first, path.count, path.last) {
        case ("search", _, "photos"): return try page(answer, 1, of: .search("")).photos
        case ("photos", 2, _): return [try detail(answer.content).photo]
        default: break
        }
        return try reading {
            let root = try JSON.parse(answer.content, replacesHalfPairs: true)
            guard isList(target) else {
                _ = try root.object().required("id").string()
                return []
            }
            let list = isSearch(target) ? try root.object().required("results") : root
            if path.last == "photos" { return try photos(list) }
            _ = try list.array(atMost: mostEntries)
            return []
        }
    }

    /// Whether a target is that of a list: `/topics`, `/topics/{slug}/photos`, or a search.
    static func isList(_ target: String) -> Bool {
        let path = path(of: target)
        return path.count == 1 || path.count == 3 && path.last == "photos" || isSearch(target)
    }

    private static func path(of target: String) -> [Substring] {
        target.prefix { $0 != "?" }.split(separator: "/")
    }

    /// The photos of any document: a list, a search, a photo, or none of them.
    ///
    /// - Throws: `invalid` for a document of errors, which the library must not send with status 200.
    static func anyPhotos(_ answer: LibraryAnswer) throws(UpstreamError) -> [Photo] {
        try reading {
            let root = try JSON.parse(answer.content, replacesHalfPairs: true)
            guard let object = try? root.object() else {
                return (try? root.array(atMost: mostEntries))?.compactMap { try? photo($0.object()) } ?? []
            }
            if let errors = object.optional("errors") { throw errors.error("is an error") }
            if let results = object.optional("results") {
                return (try? results.array(atMost: mostEntries))?.compactMap { try? photo($0.object()) } ?? []
            }
            return (try? photo(object)).map { [$0] } ?? []
        }
    }

    /// Whether a path or target is that of a search: its lists are in an object with their totals.
    package static func isSearch(_ target: String) -> Bool { target.hasPrefix("/search/") }

    private static func photos(_ list: JSONValue) throws -> [Photo] {
        let array = try list.array(atMost: mostEntries)
        let photos = array.compactMap { element in try? photo(element.object()) }
        guard !photos.isEmpty || array.isEmpty else { throw list.error("has no photo") }
        return photos
    }

    private static func photo(_ object: JSONObject) throws -> Photo {
        let id = try object.required("id").string()
        guard LibraryName(id) != nil else { throw object.error("has no id") }
        let urls = try object.required("urls").object()
        let user = try object.required("user").object()
        let username = try user.required("username").string().cut(to: longestName)
        // The library writes times in any time zone.
        let created = WallTime(rfc3339: try object.required("created_at").string())
        guard let created else { throw object.error("has a malformed time") }
        let location = object.object("links")?.text("download_location").flatMap { isAddress($0) ? $0 : nil }
        var photo = Photo(
            id: id,
            slug: object.text("slug").flatMap({ LibraryName($0) })?.text ?? id,
            width: try object.required("width").integer(in: 1...1_000_000),
            height: try object.required("height").integer(in: 1...1_000_000),
            createdAt: created.rfc3339Seconds,
            hotlinks: try Photo.Hotlinks { name in try address(urls, name) },
            reportTarget: location.flatMap(reportTarget),
            user: Photo.Photographer(
                username: username,
                // Optional in the library's own clients.
                name: user.text("name", atMost: longestName) ?? username
            )
        )
        photo.color = object.text("color", atMost: 16)
        photo.blurHash = object.text("blur_hash").flatMap { $0.utf8.count <= longestBlurHash ? $0 : nil }
        photo.writtenDescription = object.text("description", atMost: longestText)
        photo.altDescription = object.text("alt_description", atMost: longestText)
        photo.likes = object.integer("likes") ?? 0
        photo.sponsored = object.optional("sponsorship")?.unlessNull != nil
        let isAtPlus = photo.hotlinks.raw.hasPrefix("https://plus.unsplash.com/")
        photo.premium = isAtPlus || object.isTrue("premium") || object.isTrue("plus")
        return photo
    }

    /// The longest query of a target, in bytes; the library's longest search is a fraction of this.
    package static let longestQuery = 2048
    /// The longest address, in bytes; the usual ones have about 300.
    ///
    /// Its `ixid` repeats the text of a search in Base64, 4/3 of the bytes of a query. Else a long search would look like a
    /// fault of the library, which closes it to all clients.
    package static let longestAddress = 2 * longestQuery
    /// Of nine by nine components, in characters.
    private static let longestBlurHash = 166
    /// In characters (Unicode scalars).
    private static let longestText = 2000
    package static let longestName = 256
    /// The most entries of a list that are read: three times a page of the library.
    private static let mostEntries = 100

    private static func address(_ urls: JSONObject, _ name: StaticString) throws -> String {
        let text = try urls.required(name).string()
        guard isAddress(text) else { throw urls.error("has an address that is not allowed") }
        return text
    }

    /// Whether a text is short, of visible ASCII without a fragment, and begins as a web address: it may become a field of
    /// a response, and parameters are added to it.
    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= longestAddress && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }
            && (text.hasPrefix("https://") || text.hasPrefix("http://"))
    }

    /// The target of a download's report for the `download_location` of a photo; nil if it is another address.
    ///
    /// Only the id and the query are used, at the configured API: the key must not follow a link. What precedes `/photos` is
    /// the API's own path. The id must be well-formed, so that an encoded `..` does not lead to another path of the library.
    private static func reportTarget(_ location: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: location.hasPrefix) else { return nil }
        let target = location.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 4, let photo = segments.dropLast().last, let id = PercentEncoding.decode(photo),
            segments.suffix(3) == ["photos", photo, "download"], LibraryName(id) != nil,
            PercentEncoding.encodeIllegal(in: query) == query, PercentEncoding.decode(query) != nil
        else { return nil }
        return "/photos/\(photo)/download\(query)"
    }

    /// Converts errors to `UpstreamError.invalid` with the position of the fault, without its content.
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

extension LibraryAnswer {
    /// Whether a page follows a page of `count` entries: as a field says, else if the total is larger, else after a full page.
    package func hasNext(after page: Int, total: Int?, count: Int) -> Bool {
        hasNext ?? total.map { page * Feed.pageSize < $0 } ?? (count >= Feed.pageSize)
    }
}

/// Members that are nil if they are missing, null or of another type.
extension JSONObject {
    package func text(_ name: StaticString, atMost count: Int = .max) -> String? {
        try? optional(name)?.unlessNull?.string().cut(to: count)
    }
    package func number(_ name: StaticString) -> Double? { try? optional(name)?.unlessNull?.double() }
    package func integer(_ name: StaticString) -> Int? { try? optional(name)?.unlessNull?.integer() }
    package func object(_ name: StaticString) -> JSONObject? { try? optional(name)?.unlessNull?.object() }
    fileprivate func isTrue(_ name: StaticString) -> Bool { (try? optional(name)?.bool()) ?? false }
}

extension String {
    /// Returns the first characters, at most `count`.
    package func cut(to count: Int) -> String {
        // A text has at least as many bytes as characters.
        utf8.count <= count ? self : String(UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}
