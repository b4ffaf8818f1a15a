/// The photo library that the service proxies.
///
/// Every call ends soon after its task is cancelled, and then throws `.cancelled`.
package protocol Library: Sendable {
    /// Sends a GET to the API; `target` is a path with its query, such as `/photos?page=1&per_page=30`.
    func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer

    /// Fetches a picture; `receiver` is called on one thread, in order, and may throw to end the transfer.
    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError)
}

/// The content of a 200 of the API, whatever it is, with what its fields say.
package struct LibraryAnswer: Sendable, Hashable {
    package var content: [UInt8]
    /// The length of the list that this is a page of.
    package var total: Int?
    /// Whether a page follows; nil if no field says so.
    package var hasNext: Bool?
    /// The calls left in the library's hour.
    package var remainingCalls: Int?

    package init(_ content: [UInt8], total: Int? = nil, hasNext: Bool? = nil, remainingCalls: Int? = nil) {
        self.content = content
        self.total = total
        self.hasNext = hasNext
        self.remainingCalls = remainingCalls
    }
}

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
