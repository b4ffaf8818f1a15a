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
        return Self.base64(Array(fields.joined(separator: "|").utf8))
    }

    /// A bar in a search would make two fields of it.
    private func plain(_ text: String) -> String {
        text.split(separator: "|").joined(separator: " ")
    }

    /// Base64 in the alphabet for URLs, without padding (RFC 4648, section 5).
    private static func base64(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(bytes.count * 4 / 3 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for digit in 0...group.count { characters.append(alphabet[bits >> (18 - 6 * digit) & 63]) }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
