/// A failure of the library that a test asks for; as JSON over HTTP, see `Control`.
///
/// Every fault that matches a request affects it. Latencies add up; of the other faults, the first one applies.
package struct Fault: Codable, Sendable, Equatable {
    package let kind: Kind
    package let on: Host
    /// The number of requests that it affects; nil for all until it is removed.
    package var count: Int?
    /// A text that the target of a request must contain as it was received, such as `page=3`.
    package var containing: String?
    /// Members of single kinds, named there.
    package var milliseconds: Int?
    package var bytes: Int?
    package var retryAfter: Int?
    package var status: Int?
    package var location: String?
    package var content: String?
    package var locations: [String]?

    /// Creates a fault; `change` sets its further members.
    package init(_ kind: Kind, on host: Host, count: Int? = nil, _ change: (inout Fault) -> Void = { _ in }) {
        (self.kind, on, self.count) = (kind, host, count)
        change(&self)
    }

    /// The host of the upstream that has the fault.
    package enum Host: String, Codable, Sendable, CaseIterable {
        case api, images
    }

    package enum Kind: String, Codable, Sendable {
        /// The correct response, `milliseconds` late.
        case latency
        /// The content in pieces of `bytes`, one every heartbeat of the server.
        case drip
        /// The fields, then a reset connection.
        case reset
        /// Half of the declared content, then a closed connection.
        case truncate
        /// No response.
        case hangBefore
        /// Half of the content, then nothing.
        case hangInside
        /// The correct status and type, no content.
        case empty
        /// The correct type and length, content that no parser accepts.
        case malformed
        /// 200 with a page of HTML, as from a captive portal.
        case wrongType
        /// 64 kB that decompress to 64 MiB.
        case gzipBomb
        /// The header of a picture of 30,000 × 30,000 pixels, and its end.
        case pixelBomb
        /// Content without a length and without an end.
        case endlessBody
        /// 401, as for a wrong key.
        case unauthorized
        /// 403 with the plain text of an exceeded rate limit.
        case forbiddenText
        /// 403 with errors in JSON: a missing permission.
        case forbiddenJSON
        /// 429, with `retryAfter` in seconds if it is set.
        case tooManyRequests
        /// `status` with a page of HTML.
        case serverError
        /// `status` with `content` as JSON.
        case answer
        /// 302 to `location`.
        case redirect
        /// A list of photos with `locations` in turn as their `download_location`.
        case downloadLocations
    }
}
