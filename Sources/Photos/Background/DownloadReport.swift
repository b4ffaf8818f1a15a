import Primitives

/// The report of a download, a GET of the API.
enum DownloadReport {
    /// The path and query of the `download_location` that the library states for a photo; nil if it is another address.
    ///
    /// Only these are used, at the configured API: the key must not follow a link. The id must be well-formed, so that an
    /// encoded `..` does not lead to another path of the library.
    static func target(of location: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: location.hasPrefix) else { return nil }
        let target = location.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[0].isEmpty, segments[1] == "photos", segments[3] == "download",
            let id = PercentEncoding.decode(segments[2]), LibraryName(id) != nil,
            PercentEncoding.encodeIllegal(in: query) == query, PercentEncoding.decode(query) != nil
        else { return nil }
        return String(target)
    }
}
