/// A photo in a list of the library: the members of its payload that the service uses.
///
/// The impression URLs of sponsored photos are not forwarded: they inform advertisers about users.
package struct Photo: Sendable, Equatable {
    /// Eleven characters of `A-Z a-z 0-9 - _`; may begin with `-`.
    package var id: String
    /// The readable name in the photo's address; the id if the payload has none, as before 2024.
    package var slug: String
    /// The original's size in pixels.
    package var width: Int
    package var height: Int
    /// RFC 3339, with the library's offset.
    package var createdAt: String
    /// `#rrggbb`.
    package var color: String?
    package var blurHash: String?
    /// The photographer's words.
    package var writtenDescription: String?
    /// The library's words for screen readers.
    package var altDescription: String?
    package var likes = 0
    package var sponsored = false
    /// An Unsplash+ photo, which comes with a watermark.
    package var premium = false
    package var hotlinks: Hotlinks
    /// The path and query to report a download at, which has the `ixid` that the library's terms require; nil if the library
    /// states no such address.
    package var reportTarget: String?
    package var user: Photographer

    /// The library's own addresses of the picture.
    package struct Hotlinks: Sendable, Equatable {
        package var raw: String
        package var full: String
        package var regular: String
        package var small: String
        package var thumb: String

        /// Creates the addresses that `address` returns for each of their names.
        package init<Failure>(_ address: (StaticString) throws(Failure) -> String) throws(Failure) {
            raw = try address("raw")
            full = try address("full")
            regular = try address("regular")
            small = try address("small")
            thumb = try address("thumb")
        }

        package var all: KeyValuePairs<StaticString, String> {
            ["raw": raw, "full": full, "regular": regular, "small": small, "thumb": thumb]
        }
    }

    package struct Photographer: Sendable, Equatable {
        package var username: String
        package var name: String
    }
}

extension Photo {
    /// The bytes that the photo takes in a cache: its values, and each text with the head of its storage.
    package var cost: Int {
        let texts =
            [id, slug, createdAt, color, blurHash, writtenDescription, altDescription, reportTarget, user.username]
            + [user.name] + hotlinks.all.map(\.value)
        return MemoryLayout<Photo>.stride + texts.reduce(0) { $0 + 32 + ($1?.utf8.count ?? 0) }
    }
}
