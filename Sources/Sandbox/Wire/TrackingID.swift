import Primitives

/// The upstream's `ixid`: the record of where a picture was shown, which it puts into every image URL and wants back with
/// every view and download.
///
/// A list of fields, parted by `|`, in unpadded base64: version, application, flags, 1, feed, position, collection, search
/// text, language, …, the time of the answer. So one photo has another URL in every list and every second.
struct TrackingID: Sendable {
    var application: Int
    /// `all`, `search`, `topic`, `collection`, `random`, `user` or `rb-detail`.
    var feed: String
    /// In the whole list, from 1.
    var position: Int?
    /// The topic or the collection.
    var collection = ""
    var searchText = ""
    /// Unix time in seconds.
    var time: Int

    var text: String {
        let fields = [
            "3", String(application), "0", "1", feed, position.map(String.init) ?? "", collection, plain(searchText),
            searchText.isEmpty ? "" : "en", searchText.isEmpty ? "" : "0", "", "", "", String(time), "0",
        ]
        return Base64.encode(Array(fields.joined(separator: "|").utf8), .url)
    }

    /// A bar in a search would make two fields of it.
    private func plain(_ text: String) -> String {
        text.split(separator: "|").joined(separator: " ")
    }
}
