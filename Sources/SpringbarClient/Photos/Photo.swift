public import Foundation

/// A photo of the service.
public struct Photo: Sendable, Hashable, Identifiable, Decodable {
    /// The photo's id.
    public let id: String
    /// The id with words of the description, for addresses.
    public let slug: String
    /// The width of the original in pixels.
    public let width: Int
    /// The height of the original in pixels.
    public let height: Int
    /// The width divided by the height.
    public let aspectRatio: Double
    /// A description for people who do not see the photo; never empty.
    public let description: String
    /// The average colour as `#rrggbb`.
    public let color: String?
    /// A blurred picture in a few characters.
    public let blurHash: String?
    /// A small picture as a data URI.
    public let placeholder: String
    /// The pictures by the name of their variant: `thumb`, `small`, `regular`, `full`.
    public let images: [String: Picture]
    /// The addresses of the pictures at the library.
    public let hotlinks: [String: String]
    /// The credit that the library's terms require beside the photo.
    public let attribution: Attribution
    /// The photographer.
    public let user: User
    /// The moment of the upload, as RFC 3339.
    public let createdAt: String?
    /// The number of likes.
    public let likes: Int
    /// Whether the photo is an advertisement.
    public let sponsored: Bool
    /// Whether the photo belongs to the library's paid plan.
    public let premium: Bool

    /// The moment of the upload.
    public var created: Date? { createdAt.flatMap { try? Date($0, strategy: .iso8601) } }

    /// The signature of the photo's links, which a picture needs if the service requires tokens.
    var signature: String? {
        let items = images.values.first.flatMap { URLComponents(string: $0.url)?.queryItems }
        return items?.first { $0.name == "s" }?.value
    }

    /// A picture of a photo.
    public struct Picture: Sendable, Hashable, Decodable {
        /// The address, relative to the service.
        public let url: String
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
    }

    /// The credit of a photo.
    public struct Attribution: Sendable, Hashable, Decodable {
        /// A line such as "Photo by … on Unsplash", or "Drawn by the built-in library".
        public let text: String
        /// The same line with links.
        public let html: String
        /// The page of the photographer.
        public let photographerUrl: String
        /// The page of the library.
        public let unsplashUrl: String
    }

    /// A photographer.
    public struct User: Sendable, Hashable, Decodable {
        /// The name of the account.
        public let username: String
        /// The full name.
        public let name: String
    }
}

/// A page of photos.
public struct PhotoPage: Sendable, Hashable, Decodable {
    /// The photos of the page; a pager leaves out those of earlier pages.
    public internal(set) var items: [Photo]
    /// The position of the page in its feed.
    public let page: Position

    /// The position of a page in its feed.
    public struct Position: Sendable, Hashable, Decodable {
        /// The cursor of the next page; nil after the last one.
        public let nextCursor: String?
        /// Whether there is a next page.
        public let hasMore: Bool
        /// About how many photos the feed has.
        public let totalEstimate: Int?
        /// Seconds since the library sent the page.
        public let ageSeconds: Double
        /// Whether the page is older than it should be, because the library does not respond.
        public let stale: Bool
        /// The number of duplicates that the service left out.
        public let removedDuplicates: Int
    }
}
