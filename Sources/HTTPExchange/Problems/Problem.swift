package import HTTPTypes
package import JSON
import Primitives

/// An error as a response (RFC 9457, "Problem Details for HTTP APIs").
package struct Problem: Error, Sendable, Equatable {
    package var kind: Kind
    /// The fault in this request, its location and the rule.
    package var detail: String
    /// The faults of the input; a response lists `mostFaults` of them.
    package var errors: [Fault]
    /// The number of faults that were found, but are not in `errors`.
    package var moreFaults = 0
    /// Extension members, such as `expectedSequence` (RFC 9457, section 3.2).
    package var members: [String: Int]
    /// Fields of the response, such as Allow or Retry-After.
    package var fields: Fields

    /// `retryAfter` becomes whole seconds, one at least.
    package init(
        _ kind: Kind,
        _ detail: String,
        errors: [Fault] = [],
        members: [String: Int] = [:],
        retryAfter: Duration? = nil,
        fields: Fields = Fields()
    ) {
        self.kind = kind
        self.detail = detail
        self.errors = errors
        self.members = members
        self.fields = fields
        if let retryAfter { self.fields[.retryAfter] = retryAfter.retryAfter }
    }

    package var code: String { kind.code }
    package var status: HTTPResponse.Status { kind.status }

    /// The common parts of all problems of one code, explained under `/problems/{code}`.
    package struct Kind: Sendable, Equatable {
        /// The last part of the problem's `type`, such as `not-found`: lower case, words joined by hyphens.
        package let code: String
        package let status: HTTPResponse.Status
        /// The same sentence each time.
        package let title: String
        /// A paragraph for developers: the causes and the remedy.
        package let explanation: String

        /// The path of the page that explains the kind (RFC 9457, section 3.1.1).
        package var type: String { "/problems/\(code)" }

        package init(_ code: String, _ status: HTTPResponse.Status, _ title: String, explanation: String) {
            self.code = code
            self.status = status
            self.title = title
            self.explanation = explanation
        }
    }

    /// One fault of the input.
    package struct Fault: Sendable, Equatable {
        package var location: Location
        package var detail: String

        package init(_ location: Location, _ detail: String) {
            self.location = location
            self.detail = detail
        }
    }

    /// The part of a request that has a fault.
    package enum Location: Sendable, Equatable {
        /// A JSON Pointer into the content (RFC 6901).
        case pointer(String)
        /// The name of a query parameter.
        case parameter(String)
        /// The name of a field.
        case field(String)
    }
}

extension Problem {
    /// Converts a `JSONError` to a problem: 400 if malformed, 422 if a value is not allowed.
    package init(json error: JSONError) {
        let pointer = error.pointer.shortened(to: Problem.longestLocation)
        self.init(
            error.isMalformed ? .malformedJSON : .invalidContent,
            pointer.isEmpty ? error.detail : "\(pointer): \(error.detail)",
            errors: [Fault(.pointer(error.pointer), error.detail)]
        )
    }

    /// Joins the problems of one request into one; nil without any.
    ///
    /// The kind is that of the lowest status: malformed input (400) comes before values that are not allowed (422). The
    /// details and the faults are concatenated.
    package init?(joining problems: [Problem]) {
        guard var joined = problems.min(by: { $0.status.code < $1.status.code }) else { return nil }
        joined.detail = problems.map(\.detail).joined(separator: " ")
        joined.errors = problems.flatMap(\.errors)
        joined.moreFaults = problems.reduce(0) { $0 + $1.moreFaults }
        self = joined
    }

    /// Encodes the problem as `application/problem+json`, with the request id as its instance.
    ///
    /// The order of members is fixed, so that equal problems have equal bytes.
    package func response(instance: String) -> Response {
        var response = Response(status: status, fields: fields, content: .bytes(content(instance: instance)))
        response.fields[.contentType] = MediaType.problem.description
        // 404 and 405 are cacheable by default (RFC 9110, section 15.1), but an instance belongs to one response.
        response.fields[.cacheControl] = "no-store"
        response.problem = code
        return response
    }

    /// The most faults in a response, because a request may have thousands.
    static let mostFaults = 10
    /// The longest texts in a response, in characters: a name in a request may be as long as the request.
    private static let longestDetail = 2000
    private static let longestFault = 1000
    private static let longestLocation = 256

    private func content(instance: String) -> [UInt8] {
        let more = moreFaults + max(0, errors.count - Problem.mostFaults)
        let count = more > 0 ? " \(more) more \(more == 1 ? "fault is" : "faults are") not listed." : ""
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("type", kind.type)
            json.member("title", kind.title)
            json.member("status", status.code)
            json.member("detail", detail.shortened(to: Problem.longestDetail) + count)
            json.member("instance", instance)
            if !errors.isEmpty {
                json.objects("errors", errors.prefix(Problem.mostFaults)) { Problem.write($1, to: &$0) }
            }
            for (name, value) in members.sorted(by: <) { json.member(name, value) }
        }
        return json.bytes
    }

    private static func write(_ fault: Fault, to json: inout JSONWriter) {
        let (part, name) =
            switch fault.location {
            case .pointer(let pointer): ("pointer", pointer)
            case .parameter(let name): ("parameter", name)
            case .field(let name): ("field", name)
            }
        json.member(part, name.shortened(to: longestLocation))
        json.member("detail", fault.detail.shortened(to: longestFault))
    }
}

extension Duration {
    /// The value of Retry-After: seconds, rounded up, one at least.
    package var retryAfter: String { "\(max(1, wholeSecondsRoundedUp))" }
}

extension String {
    /// Returns the text, or its first `count` scalars and an ellipsis.
    fileprivate func shortened(to count: Int) -> String {
        // A text has at least as many bytes as scalars.
        utf8.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count))) + "…"
    }
}

extension Substring {
    /// The first 100 scalars of a client's text, for messages: a character may be as long as the text.
    var excerpt: Substring { Substring(unicodeScalars.prefix(100)) }
}
