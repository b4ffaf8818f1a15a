/// The photo library that the service proxies.
///
/// Every call ends soon after its task is cancelled, and then throws `.cancelled`.
package protocol Upstream: Sendable {
    /// A page of a feed, from 1, of `Feed.pageSize` photos except for the last.
    func page(_ number: Int, of feed: Feed) async throws(UpstreamError) -> UpstreamPage

    /// The details of a photo, by its id or slug.
    func photo(_ idOrSlug: String) async throws(UpstreamError) -> PhotoDetail

    /// Reports a download at a photo's `downloadLocation`.
    func trackDownload(at location: String) async throws(UpstreamError)

    /// The unchanged answer of the API to a path with its query, for clients that use the library's format.
    func raw(_ target: String) async throws(UpstreamError) -> RawAnswer

    /// Fetches a picture; `receiver` is called on one thread, in order, and may throw to end the transfer.
    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError)

    /// The calls left in the hour (`X-Ratelimit-Remaining` of the last answer); nil before the first.
    var remainingCalls: Int? { get }
}

/// A page of a feed; `total` is the number of photos in the feed, about 10,000 for searches.
package typealias UpstreamPage = (photos: [Photo], total: Int?, hasNext: Bool)

/// An unchanged JSON document of the library, and the length of the list that it is a page of.
package typealias RawAnswer = (content: [UInt8], total: Int?)

package protocol PictureReceiver: AnyObject, Sendable {
    /// The status is 200, with this Content-Length or none.
    func begin(length: Int?) throws(UpstreamError)

    /// The next bytes; valid during the call only.
    func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError)
}

/// The number of photos in a list, according to the library.
package enum Total {
    /// Above the length of any list, and small enough for sums.
    package static let limit = 1_000_000_000

    /// Reads a field; nil if it is not a number.
    package static func reading(_ text: String?) -> Int? { text.flatMap { Int($0) }.map(bounded) }

    /// The number, clamped to the possible range, so that no error of the library overflows a sum.
    package static func bounded(_ number: Int) -> Int { min(limit, max(0, number)) }
}

/// The trace that a call of the library belongs to (W3C Trace Context).
package struct UpstreamTrace: Sendable, Equatable {
    /// The value of `traceparent`, with the span id of the request.
    package let parent: String
    /// The value of `tracestate`; nil without one.
    package let state: String?

    package init(parent: String, state: String? = nil) {
        self.parent = parent
        self.state = state
    }

    /// The trace of the current task; a shared fetch has that of the request that started it.
    @TaskLocal package static var current: UpstreamTrace?
}
