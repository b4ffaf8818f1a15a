/// A failure that the sandbox produces on request.
package struct Fault: Sendable, Equatable {
    package var kind: Kind
    package var scope: Scope
    /// The number of requests that it affects; nil for all until it is removed.
    package var count: Int?
    /// Limits the fault to requests whose target, as received, contains this text, such as `page=3`; nil for all.
    package var containing: String?

    package init(_ kind: Kind, on scope: Scope, count: Int? = nil, containing: String? = nil) {
        self.kind = kind
        self.scope = scope
        self.count = count
        self.containing = containing
    }

    /// The host of the upstream that has the fault.
    package enum Scope: String, Sendable, CaseIterable {
        case api
        case images
    }

    package enum Kind: Sendable, Equatable {
        /// The answer begins late.
        case latency(Duration)
        /// The content comes in pieces of this size, one at every ``SandboxLibrary/Configuration/heartbeat``.
        case drip(bytes: Int)
        /// The connection is reset (RST) after the fields, before the first byte of the content.
        case reset
        /// The connection is closed after half of the promised content.
        case truncate
        /// An HTML page with status 200, as from a captive portal.
        case wrongType
        /// Status 200, the right type, no content.
        case empty
        /// The right type and length with content of another form: JSON cut in two, a picture of random bytes.
        case malformed
        /// A compressed megabyte that expands to a gibibyte of valid JSON, or of zeros.
        case gzipBomb
        /// A picture file of three megabytes and 30,000 × 30,000 pixels. Images only.
        case pixelBomb
        /// Content without end and without a length.
        case endlessBody
        /// No answer at all.
        case hangBefore
        /// Half of the content, and then nothing.
        case hangInside
        /// 401, as for a wrong key.
        case unauthorized
        /// 403 with the plain text of the exhausted hourly limit.
        case forbiddenText
        /// 403 with errors in JSON: a missing permission.
        case forbiddenJSON
        /// 429 with JSON, and Retry-After if there is a number of seconds.
        case tooManyRequests(retryAfter: Int?)
        /// A 5xx with an HTML page.
        case serverError(status: Int)
        /// 302 to an address that a proxy must not follow.
        case redirect(to: String)
        /// Publishes this many photos after each list, so that the next page repeats some. API only.
        case listShift(Int)
        /// Starts each page after the first with the last `across` photos of the page before, and repeats its first
        /// photo `inside` times. API only.
        case duplicates(across: Int, inside: Int)
    }

    /// Whether the kind can happen in the scope.
    package var isPossible: Bool {
        switch kind {
        case .pixelBomb: scope == .images
        case .listShift, .duplicates: scope == .api
        case .serverError(let status): (500...599).contains(status)
        case .drip(let bytes): bytes > 0
        default: true
        }
    }
}
