import HTTPExchange
import JSON
import PhotoLibrary

/// Rewrites links of the library to the service.
enum DropInLinks {
    /// The Link field of a list; without a total, the last page is unknown.
    static func field(_ request: DropInRequest, total: Int?, hasNext: Bool) -> String? {
        func target(_ page: Int) -> String {
            request.base + request.target([("page", "\(page)"), ("per_page", "\(request.perPage)")])
        }
        let count = total.map { ($0 + request.perPage - 1) / request.perPage }
        var links = PageLinks(of: request.page, among: count ?? request.page, target)
        if count == nil, hasNext { links.add("next", target(request.page + 1)) }
        return links.field
    }

    /// The answer to the report of a download with the service's own picture; nil if clients reach that of the library.
    static func download(of photo: String, for request: DropInRequest) -> [UInt8]? {
        guard let base = request.hotlinkBase else { return nil }
        let links = Photo.Hotlinks(of: photo, at: base, request.signatures.query(for: photo))
        return JSONWriter.object { $0.member("url", links.full) }
    }

    /// Returns a document whose links lead to the service.
    static func rewrite(_ content: [UInt8], for request: DropInRequest) -> [UInt8] {
        let content = request.hotlinkBase.map { rewriteURLs(content[...], base: $0, request.signatures) } ?? content
        return rewriteDownloadLocations(content, base: request.base)
    }

    /// Replaces the `urls` of a photo, or of a list of them, by addresses of the service's own pictures.
    ///
    /// So are those of the photo on the cover of a collection. The new `urls` have the five members of `Photo.Hotlinks`, and `small_s3`, which is `small` at another address.
    static func rewriteURLs(_ content: ArraySlice<UInt8>, base: String, _ signatures: LinkSignatures) -> [UInt8] {
        if let photos = RawJSON.elements(of: content, atMost: Feed.pageSize) {
            let parts = photos.map { rewriteURLs($0, base: base, signatures) }
            return "[".utf8 + Array(parts.joined(separator: ",".utf8)) + "]".utf8
        }
        if let cover = RawJSON.member("cover_photo", of: content) {
            let photo = rewriteURLs(cover, base: base, signatures)
            return Array(content[..<cover.startIndex]) + photo + content[cover.endIndex...]
        }
        guard let id = RawJSON.member("id", of: content), let urls = RawJSON.member("urls", of: content),
            let name = LibraryName(String(decoding: id.dropFirst().dropLast(), as: UTF8.self))
        else { return Array(content) }
        let links = Photo.Hotlinks(of: name.text, at: base, signatures.query(for: name.text))
        var json = JSONWriter(capacity: 512)
        json.object { json in
            for (name, address) in links.all { json.member(name, address) }
            json.member("small_s3", links.small)
        }
        return Array(content[..<urls.startIndex]) + json.bytes + content[urls.endIndex...]
    }

    /// Replaces the origin of every `download_location` by the service; path and query stay.
    static func rewriteDownloadLocations(_ content: [UInt8], base: String) -> [UInt8] {
        let name = Array("\"download_location\"".utf8)
        // JSON may escape a slash.
        let paths = [Array("/photos/".utf8), Array("\\/photos\\/".utf8)]
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        var result: [UInt8] = []
        result.reserveCapacity(content.count + 1024)
        var copied = 0
        var position = 0
        while let quote = content[position...].firstIndex(of: UInt8(ascii: "\"")) {
            position = quote + 1
            guard content[quote...].starts(with: name) else { continue }
            let colon = content[(quote + name.count)...].drop(while: isBlank)
            let value = colon.dropFirst().drop(while: isBlank)
            guard colon.first == UInt8(ascii: ":"), value.first == UInt8(ascii: "\"") else { continue }
            let start = value.startIndex + 1
            guard let end = content[start...].firstIndex(of: UInt8(ascii: "\"")),
                let photos = content[start..<end].indices.first(where: { index in
                    paths.contains { content[index..<end].starts(with: $0) }
                })
            else { continue }
            result += content[copied..<start]
            result += base.utf8
            copied = photos
            position = end
        }
        return result + content[copied...]
    }
}
