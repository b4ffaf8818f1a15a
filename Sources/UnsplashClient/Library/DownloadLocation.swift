import PhotoFeed
import Primitives

/// The target of a download report, from the `download_location` that the library states for a photo.
///
/// Only path and query are used, at the configured API: the key must not follow a link. The id must be well-formed, so
/// that an encoded `..` does not lead to another path of the library.
struct DownloadLocation {
    /// The path and the query.
    let target: String

    /// Reads an address; nil for one that is not requested.
    init?(_ text: String) {
        guard let address = WebAddress(text) else { return nil }
        let path = address.target.prefix { $0 != "?" }
        let query = address.target.dropFirst(path.count)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[0].isEmpty, segments[1] == "photos", segments[3] == "download",
            let id = PercentEncoding.decode(segments[2]), LibraryName(id) != nil,
            PercentEncoding.encodeIllegal(in: query) == query, PercentEncoding.decode(query) != nil
        else { return nil }
        target = address.target
    }
}
