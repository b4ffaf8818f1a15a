/// The photo library as the service sees it: what it can be asked, and nothing of how.
///
/// Every call ends soon after its task is cancelled, and then throws `.cancelled`.
package protocol Upstream: Sendable {
    /// One page of a feed, from 1; always `Feed.pageSize` photos but for the last.
    func page(_ number: Int, of feed: Feed) async throws(UpstreamError) -> UpstreamPage

    /// Everything about one photo, by its id or slug.
    func photo(_ idOrSlug: String) async throws(UpstreamError) -> PhotoDetail

    /// Reports a download at the photo's own `downloadLocation`; gives the address of the picture.
    func trackDownload(at location: String) async throws(UpstreamError) -> String

    /// What the API answers at a path with its query, as it is: for clients that speak the library's own format.
    func raw(_ target: String) async throws(UpstreamError) -> RawAnswer

    /// Fetches a picture; `receiver` is called from one thread, in order, and may refuse what it gets.
    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError)

    /// What the last answers said of the hourly limit; nil before the first.
    var rateLimit: UpstreamRateLimit? { get }
}

/// A page of a feed as it came from the library.
package struct UpstreamPage: Sendable, Equatable {
    package var photos: [Photo]
    /// How many photos the whole feed has, as far as the library says; it hovers at 10 000 for searches.
    package var total: Int?
    /// Whether the library's `Link` names a next page.
    package var hasNext: Bool

    package init(photos: [Photo], total: Int?, hasNext: Bool) {
        self.photos = photos
        self.total = total
        self.hasNext = hasNext
    }
}

/// A document of the library, and what its fields say of the list that it is part of.
package struct RawAnswer: Sendable, Equatable {
    /// JSON.
    package var content: [UInt8]
    package var total: Int?
    package var hasNext: Bool

    package init(content: [UInt8], total: Int? = nil, hasNext: Bool = false) {
        self.content = content
        self.total = total
        self.hasNext = hasNext
    }
}

/// The library's `X-Ratelimit-*`: a hint, for its edge repeats a stored value.
package struct UpstreamRateLimit: Sendable, Equatable {
    package var limit: Int
    package var remaining: Int

    package init(limit: Int, remaining: Int) {
        self.limit = limit
        self.remaining = remaining
    }
}

/// Takes a picture in while it arrives.
package protocol PictureReceiver: AnyObject, Sendable {
    /// The answer is a 200 with this Content-Length, or with none.
    func begin(length: Int?) throws(UpstreamError)

    /// The next bytes; valid during the call only.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError)
}
