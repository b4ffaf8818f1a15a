/// An error: an error response (RFC 9457), no response, or input that the service would refuse.
public struct Problem: Error, Sendable, Equatable {
    /// The status of the response; 0 without one.
    public let status: Int
    /// The stable code, such as `sequence-gap`.
    ///
    /// `unreachable`, `timeout`, `unreadable`, `queue-full`, `ended` and `cancelled` are the client's own.
    public let code: String
    /// A sentence about this fault, for developers.
    public let detail: String
    /// The places of the faults in the request.
    public let faults: [Fault]
    /// The id of the request in the service's log.
    public let requestID: String?
    /// Seconds before a retry; nil if the service does not say.
    public let retryAfter: Double?
    /// The number that the service expects, with the code `sequence-gap`.
    public let expectedSequence: Int?
    /// The `ETag` of the current state, with status 412.
    var etag: String?

    /// A fault at one place of a request.
    public struct Fault: Sendable, Equatable {
        /// The JSON Pointer of the member, such as `/events/7/contentOffset/y`; nil for a query parameter.
        public let pointer: String?
        /// The name of the query parameter; nil for a member.
        public let parameter: String?
        /// The rule that is broken.
        public let detail: String

        /// A fault of a member or of a parameter.
        public init(pointer: String? = nil, parameter: String? = nil, detail: String) {
            self.pointer = pointer
            self.parameter = parameter
            self.detail = detail
        }
    }

    /// A problem with the given members.
    public init(
        status: Int = 0,
        code: String,
        detail: String,
        faults: [Fault] = [],
        requestID: String? = nil,
        retryAfter: Double? = nil,
        expectedSequence: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.faults = faults
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.expectedSequence = expectedSequence
    }

    /// Whether a retry may succeed.
    public var isTransient: Bool {
        // A server error that is not the service's is a proxy's.
        retryAfter != nil || status >= 500 && code == "unreadable"
            || Problem.transient.contains(status) && !Problem.final.contains(code)
    }

    private static let transient: Set<Int> = [0, 408, 425, 429, 500, 502, 503, 504]
    private static let final: Set<String> = ["cancelled", "ended", "queue-full"]
}

extension Problem: CustomStringConvertible {
    /// The detail, with the code and the request id.
    public var description: String { "\(detail) (\(code)\(requestID.map { ", request \($0)" } ?? ""))" }
}

extension Problem {
    static let queueFull = Problem(code: "queue-full", detail: "Too many events wait for the service.")

    /// The problem of a response that is not the service's: a proxy's, or that of a network's login page.
    static func unreadable(status: Int) -> Problem {
        Problem(status: status < 400 ? 0 : status, code: "unreadable", detail: "The response is not the service's.")
    }

    /// The index of the event that the service refused, if the first fault is in one.
    var eventIndex: Int? {
        guard let parts = faults.first?.pointer?.split(separator: "/"), parts.count > 1, parts[0] == "events" else {
            return nil
        }
        return Int(parts[1])
    }
}
