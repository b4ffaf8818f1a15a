/// A photo in a list of the library: the members of its payload that the service uses.
///
/// The impression URLs of sponsored photos are not forwarded: they inform advertisers about users.
struct Photo: Sendable, Equatable {
    /// Eleven characters of `A-Z a-z 0-9 - _`; may begin with `-`.
    var id: String
    /// The readable name in the photo's address; the id if the payload has none, as before 2024.
    var slug: String
    /// The original's size in pixels.
    var width: Int
    var height: Int
    /// RFC 3339, with the library's offset.
    var createdAt: String
    /// `#rrggbb`.
    var color: String?
    var blurHash: String?
    /// The photographer's words.
    var writtenDescription: String?
    /// The library's words for screen readers.
    var altDescription: String?
    var likes = 0
    var sponsored = false
    /// An Unsplash+ photo, which comes with a watermark.
    var premium = false
    var hotlinks: Hotlinks
    /// The path and query to report a download at, which has the `ixid` that the library's terms require; nil if the library
    /// states no such address.
    var reportTarget: String?
    var user: Photographer

    /// The library's own addresses of the picture.
    struct Hotlinks: Sendable, Equatable {
        var raw: String
        var full: String
        var regular: String
        var small: String
        var thumb: String

        /// Creates the addresses that `address` returns for each of their names.
        init<Failure>(_ address: (StaticString) throws(Failure) -> String) throws(Failure) {
            raw = try address("raw")
            full = try address("full")
            regular = try address("regular")
            small = try address("small")
            thumb = try address("thumb")
        }

        var all: KeyValuePairs<StaticString, String> {
            ["raw": raw, "full": full, "regular": regular, "small": small, "thumb": thumb]
        }
    }

    struct Photographer: Sendable, Equatable {
        var username: String
        var name: String
    }
}

extension Photo {
    /// The bytes that the photo takes in a cache: its values, and each text with the head of its storage.
    var cost: Int {
        let texts =
            [id, slug, createdAt, color, blurHash, writtenDescription, altDescription, reportTarget, user.username]
            + [user.name] + hotlinks.all.map(\.value)
        return MemoryLayout<Photo>.stride + texts.reduce(0) { $0 + 32 + ($1?.utf8.count ?? 0) }
    }

    var size: PixelSize { PixelSize(width: width, height: height) }

    enum DescriptionSource: String, Sendable {
        case description
        case altDescription
        case user
    }

    /// The description of a photo, or a text instead: the library has none for 10 to 80 % of a page.
    var description: (text: String, source: DescriptionSource) {
        let texts = [(writtenDescription, DescriptionSource.description), (altDescription, .altDescription)]
        // The library writes a missing text as null or as `""`.
        for case (let text?, let source) in texts where text.contains(where: { !$0.isWhitespace }) {
            return (text, source)
        }
        return ("Photo by \(user.name)", .user)
    }
}
