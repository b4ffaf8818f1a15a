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
    /// The URL to report a download at, with its query: the library's terms require `ixid`.
    package var downloadLocation: String
    package var user: Photographer

    package init(
        id: String,
        slug: String,
        width: Int,
        height: Int,
        createdAt: String,
        hotlinks: Hotlinks,
        downloadLocation: String,
        user: Photographer
    ) {
        self.id = id
        self.slug = slug
        self.width = width
        self.height = height
        self.createdAt = createdAt
        self.hotlinks = hotlinks
        self.downloadLocation = downloadLocation
        self.user = user
    }

    /// The library's own addresses of the picture.
    package struct Hotlinks: Sendable, Equatable {
        package var raw: String
        package var full: String
        package var regular: String
        package var small: String
        package var thumb: String

        /// Creates the addresses that `address` returns for each of their names.
        package init<Failure>(
            _ address: (StaticString, KeyPath<Hotlinks, String>) throws(Failure) -> String
        ) throws(Failure) {
            raw = try address("raw", \.raw)
            full = try address("full", \.full)
            regular = try address("regular", \.regular)
            small = try address("small", \.small)
            thumb = try address("thumb", \.thumb)
        }

        package var all: KeyValuePairs<StaticString, String> {
            ["raw": raw, "full": full, "regular": regular, "small": small, "thumb": thumb]
        }
    }

    package struct Photographer: Sendable, Equatable {
        package var username: String
        package var name: String

        package init(username: String, name: String) {
            self.username = username
            self.name = name
        }
    }
}

extension Photo {
    package var size: PixelSize { PixelSize(width: width, height: height) }

    package enum DescriptionSource: String, Sendable {
        case description
        case altDescription
        case user
    }

    /// The description of a photo, or a text instead: the library has none for 10 to 80 % of a page.
    package var description: (text: String, source: DescriptionSource) {
        let texts = [(writtenDescription, DescriptionSource.description), (altDescription, .altDescription)]
        // The library writes a missing text as null or as `""`.
        for case (let text?, let source) in texts where text.contains(where: { !$0.isWhitespace }) {
            return (text, source)
        }
        return ("Photo by \(user.name)", .user)
    }
}
