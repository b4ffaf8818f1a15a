import Primitives

/// The upstream's `ixid`: a record of the list that showed a picture, in every image URL, view and download report.
///
/// Fields separated by `|`, in unpadded base64. The URL of a photo therefore differs in every list and second.
struct TrackingID: Sendable {
    /// The application that every key belongs to.
    var application = 424_242
    /// `all`, `search`, `topic`, `collection`, `random`, `user` or `rb-detail`.
    var feed: String
    /// The position in the whole list, from 1.
    var position: Int?
    /// The topic or the collection.
    var collection = ""
    var searchText = ""
    /// Unix time in seconds.
    var time: Int

    var text: String {
        let words = searchText.split(separator: "|").joined(separator: " ")
        let fields = [
            "3", String(application), "0", "1", feed, position.map(String.init) ?? "", collection, words,
            searchText.isEmpty ? "" : "en", searchText.isEmpty ? "" : "0", "", "", "", String(time), "0",
        ]
        return Base64.encode(Array(fields.joined(separator: "|").utf8), .url)
    }
}
