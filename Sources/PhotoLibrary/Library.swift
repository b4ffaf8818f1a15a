/// The photo library that the service proxies.
///
/// Every call ends soon after its task is cancelled, and then throws `.cancelled`.
package protocol Library: Sendable {
    /// Sends a GET to the API; `target` is a path with its query, such as `/photos?page=1&per_page=30`.
    func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer

    /// Fetches a picture; `receiver` is called on one thread, in order, and may throw to end the transfer.
    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError)

    /// Whether the host of an address may be asked for pictures.
    func allowsPicture(at url: String) -> Bool
}

extension Library {
    /// A library without a network has no other hosts.
    package func allowsPicture(at url: String) -> Bool { true }
}

/// The content of a 200 of the API, whatever it is, with what its fields say.
package struct LibraryAnswer: Sendable, Hashable {
    package var content: [UInt8]
    /// The length of the list that this is a page of, at most ``Total/limit``.
    package let total: Int?
    /// Whether a page follows; nil if no field says so.
    package let hasNext: Bool?
    /// The calls left in the library's hour.
    package var remainingCalls: Int?

    package init(_ content: [UInt8], total: Int? = nil, hasNext: Bool? = nil, remainingCalls: Int? = nil) {
        self.content = content
        self.total = total.map(Total.bounded)
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

/// An error between the service and the photo library.
///
/// No case holds content, a key or an address of the library, so that every case can be reported to clients.
package enum UpstreamError: Error, Sendable, Hashable {
    /// The hourly limit is exhausted: a 403 in plain text, a 429, or the service's own budget.
    case rateLimited(retryAfter: Duration)
    /// The library does not accept the key (401, or a 403 in JSON).
    case credentials
    /// There is no such photo, topic or collection.
    case notFound
    /// The library refused the parameters with this status (400, 410, 422) and message.
    case invalidQuery(Int, String)
    /// The library refused the request with a status (4xx) that is not about the parameters.
    case refused(Int, retryAfter: Duration? = nil)
    /// The library failed: a 5xx, a connection refused or reset.
    case failed(Failure)
    /// The answer is truncated, empty, not JSON, or of the wrong structure or type, which the text names.
    case invalid(String)
    /// A rule of the service, such as a limit, prevents the call or the reading of its answer; the text names it.
    case unusable(String)
    /// The service has no memory, descriptor or transfer for the call; the call was not made, or was ended.
    case overloaded
    case timedOut
    /// The picture is not allowed: its size, its pixels or its host.
    case imageRejected(ImageFault)
    /// The library has failed several times in a row; no call is made until the next probe.
    case unavailable(retryAfter: Duration)
    /// The store that coordinates the calls of several replicas is away; no call is made.
    case storeUnavailable
    /// The client has disconnected, or the service stops.
    case cancelled
    /// An error status of the API that came with the number of calls left, on its way from `Library.get`.
    indirect case counted(UpstreamError, remainingCalls: Int)

    package enum Failure: Sendable, Hashable {
        case status(Int, retryAfter: Duration? = nil)
        case unreachable
        /// The API is at an address that the service does not connect to.
        case addressNotAllowed
        case connectionLost
        case tls
    }

    package enum ImageFault: Sendable, Hashable {
        case hostNotAllowed
        case addressNotAllowed
        case redirected
        case tooLarge(limit: Int)
        case tooManyPixels(limit: Int)
    }
}

/// The request may cause no call of the library, and there is no copy in memory; see ``LibraryCache/mayFetch``.
package struct FetchNotAllowed: Error {}

extension UpstreamError {
    /// The error without the count of calls left, and this count.
    package var parts: (error: UpstreamError, remainingCalls: Int?) {
        if case .counted(let error, let remaining) = self { return (error, remaining) }
        return (self, nil)
    }

    /// The time until the next attempt makes sense; nil if it is not known.
    package var retryAfter: Duration? {
        switch self {
        case .rateLimited(let wait), .unavailable(let wait): wait
        case .refused(_, let wait), .failed(.status(_, let wait)): wait
        default: nil
        }
    }

    /// The error with another time until the next attempt, if the library has asked for one.
    func waiting(_ time: Duration) -> UpstreamError {
        switch self {
        case .refused(let status, .some): .refused(status, retryAfter: time)
        case .failed(.status(let status, .some)): .failed(.status(status, retryAfter: time))
        default: self
        }
    }

    /// The meaning of an error for the health of the library.
    package enum Health: Sendable, Equatable {
        /// The library is at fault: a 5xx, a time-out, a connection that failed, a malformed answer.
        case failure
        /// The library answered correctly: the request was at fault, or the limit is exhausted.
        case answer
        /// There is no answer: a rule of the service or a cancellation ended the call.
        case unknown
    }

    package var health: Health {
        switch self {
        case .failed, .invalid, .timedOut: .failure
        case .rateLimited, .credentials, .notFound, .invalidQuery, .refused: .answer
        case .unusable, .overloaded, .imageRejected, .unavailable, .storeUnavailable, .cancelled: .unknown
        case .counted(let error, _): error.health
        }
    }

    /// Whether a stale copy may be served instead (RFC 5861, section 4).
    package var allowsStale: Bool {
        switch self {
        case .rateLimited, .credentials, .refused, .failed, .invalid, .unusable, .overloaded, .timedOut, .imageRejected,
            .unavailable, .storeUnavailable:
            true
        case .notFound, .invalidQuery, .cancelled: false
        case .counted(let error, _): error.allowsStale
        }
    }
}
