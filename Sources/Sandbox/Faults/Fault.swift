/// Something that goes wrong on purpose.
package struct Fault: Sendable, Equatable {
    package var kind: Kind
    package var scope: Scope
    /// How many requests it meets; nil until it is cleared.
    package var count: Int?
    /// Only requests whose target, as it stood on the wire, has this text, such as `page=3`; nil for all.
    package var containing: String?

    package init(_ kind: Kind, on scope: Scope, count: Int? = nil, containing: String? = nil) {
        self.kind = kind
        self.scope = scope
        self.count = count
        self.containing = containing
    }

    /// Which of the upstream's two hosts has it.
    package enum Scope: String, Sendable, CaseIterable {
        case api
        case images
    }

    /// What goes wrong.
    package enum Kind: Sendable, Equatable {
        /// The answer begins late, and then comes as usual.
        case latency(Duration)
        /// The content comes in pieces of so many bytes, one at every beat of the server
        /// (``SandboxLibrary/Configuration/beat``).
        case drip(bytes: Int)
        /// The fields come, then the connection is reset (RST) before the first byte of the content.
        case reset
        /// The connection is closed after half of the promised content.
        case truncate
        /// A page of HTML with status 200, as from a captive portal.
        case wrongType
        /// Status 200, the right type, no content.
        case empty
        /// The right type and length, and content that is not of that type: JSON cut in two, a picture of noise.
        case malformed
        /// A megabyte, compressed, that unpacks to a gibibyte of good JSON, or of zeros.
        case gzipBomb
        /// A picture file of three megabytes and 30,000 × 30,000 pixels. Images only.
        case pixelBomb
        /// Content without end and without a length.
        case endlessBody
        /// No answer at all.
        case hangBefore
        /// Half of the content, and then silence.
        case hangInside
        /// 401, as for a wrong key.
        case unauthorized
        /// 403 with the bare words of the used-up hour.
        case forbiddenText
        /// 403 with errors in JSON: a real lack of permission.
        case forbiddenJSON
        /// 429 with JSON, and Retry-After in seconds when there is a number.
        case tooManyRequests(retryAfter: Int?)
        /// A 5xx with a page of HTML.
        case serverError(status: Int)
        /// 302 to where no proxy may follow.
        case redirect(to: String)
        /// After each list so many new photos appear in front of it, so that the next page repeats some. API only.
        case listShift(Int)
        /// Each page after the first begins with the last `across` photos of the page before, and its first photo
        /// stands on it `inside` more times. API only.
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
