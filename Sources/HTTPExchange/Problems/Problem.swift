package import HTTPTypes
package import JSON
import Primitives

/// An error as a response (RFC 9457, "Problem Details for HTTP APIs").
package struct Problem: Error, Sendable, Equatable {
    /// The last part of `type`, such as `not-found`: stable, documented under `/problems/{code}`.
    package var code: String
    package var status: HTTPResponse.Status
    /// The same sentence for every problem of this code.
    package var title: String
    /// The fault in this request, its location and the rule.
    package var detail: String
    /// The faults of the input; a response lists `mostFaults` of them.
    package var errors: [Fault]
    /// The number of faults that were found, but are not in `errors`.
    package var moreFaults = 0
    /// Members of this code, such as `expectedSequence`.
    package var members: [Member]
    /// Fields of the response, such as Allow or Retry-After.
    package var fields: Fields

    package init(
        code: String,
        status: HTTPResponse.Status,
        title: String,
        detail: String,
        errors: [Fault] = [],
        members: [Member] = [],
        fields: Fields = [:]
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.errors = errors
        self.members = members
        self.fields = fields
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

    /// An extension member (RFC 9457, section 3.2).
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: Value

        /// The value of a member.
        package enum Value: Sendable, Equatable {
            case integer(Int)
            case text(String)
        }

        package init(_ name: String, _ value: Int) {
            self.name = name
            self.value = .integer(value)
        }

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = .text(value)
        }
    }
}

extension Problem {
    /// The common parts of all problems of one code, explained under `/problems/{code}`.
    package struct Kind: Sendable, Equatable {
        /// The last part of the problem's `type`: lower case, words joined by hyphens.
        package let code: String
        package let status: HTTPResponse.Status
        /// The same sentence each time.
        package let title: String
        /// A paragraph for developers: the causes and the remedy.
        package let explanation: String

        /// The `type` of every problem of this kind: the path of its page.
        package var type: String { Problem.type(of: code) }

        package init(_ code: String, _ status: HTTPResponse.Status, _ title: String, explanation: String) {
            self.code = code
            self.status = status
            self.title = title
            self.explanation = explanation
        }
    }

    /// The path that explains a code (RFC 9457, section 3.1.1).
    static func type(of code: String) -> String {
        "/problems/\(code)"
    }

    /// Creates a problem of a kind; `retryAfter` becomes whole seconds, one at least.
    package init(
        _ kind: Kind,
        _ detail: String,
        errors: [Fault] = [],
        members: [Member] = [],
        retryAfter: Duration? = nil,
        fields: Fields = [:]
    ) {
        self.init(
            code: kind.code,
            status: kind.status,
            title: kind.title,
            detail: detail,
            errors: errors,
            members: members,
            fields: fields
        )
        if let retryAfter { self.fields[.retryAfter] = retryAfter.retryAfter }
    }
}

extension Problem {
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
}

/// All kinds of problems of a service, by code.
package struct ProblemCatalogue: Sendable {
    /// The kinds, the generic ones first.
    package let kinds: [Problem.Kind]

    private let positions: [String: Int]

    /// - Parameter own: the kinds of the service, besides the generic ones.
    /// - Precondition: no code is repeated; the test that builds the catalogue checks it.
    package init(own: [Problem.Kind] = []) {
        kinds = Problem.Kind.generic + own
        positions = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1.code, $0) })
    }

    /// Returns the kind with a code.
    package subscript(code: String) -> Problem.Kind? {
        positions[code].map { kinds[$0] }
    }
}

extension Problem {
    /// Encodes the problem as `application/problem+json`, with the request id as its instance.
    ///
    /// The order of members is fixed, so that equal problems have equal bytes.
    package func response(instance: String) -> Response {
        var response = Response(status: status, fields: fields, content: .bytes(content(instance: instance)))
        response.fields[.contentType] = MediaType.problem.description
        // 404 and 405 are cacheable by default (RFC 9110, section 15.1), but an instance belongs to one response.
        response.fields[.cacheControl] = "no-store"
        return response
    }

    /// The most faults in a response, because a request may have thousands.
    static let mostFaults = 10
    /// The longest texts in a response, in characters: a name in a request may be as long as the request.
    private static let longestDetail = 2000
    fileprivate static let longestFault = 1000
    fileprivate static let longestLocation = 256

    /// The detail, and the number of faults that the response does not list.
    private var sentence: String {
        let more = moreFaults + max(0, errors.count - Problem.mostFaults)
        let text = detail.shortened(to: Problem.longestDetail)
        return more > 0 ? "\(text) \(more) more \(more == 1 ? "fault is" : "faults are") not listed." : text
    }

    private func content(instance: String) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("type", Problem.type(of: code))
            json.member("title", title)
            json.member("status", status.code)
            json.member("detail", sentence)
            json.member("instance", instance)
            if !errors.isEmpty {
                json.array("errors") { json in
                    for fault in errors.prefix(Problem.mostFaults) { fault.write(to: &json) }
                }
            }
            for member in members {
                switch member.value {
                case .integer(let number): json.member(member.name, number)
                case .text(let text): json.member(member.name, text)
                }
            }
        }
        return json.bytes
    }
}

extension Problem.Fault {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            switch location {
            case .pointer(let pointer): json.member("pointer", pointer.shortened(to: Problem.longestLocation))
            case .parameter(let name): json.member("parameter", name.shortened(to: Problem.longestLocation))
            case .field(let name): json.member("field", name.shortened(to: Problem.longestLocation))
            }
            json.member("detail", detail.shortened(to: Problem.longestFault))
        }
    }
}

extension Duration {
    /// The value of Retry-After: seconds, rounded up, one at least.
    package var retryAfter: String {
        "\(max(1, wholeSecondsRoundedUp))"
    }
}

extension String {
    /// Returns the text, or its first `count` scalars and an ellipsis.
    fileprivate func shortened(to count: Int) -> String {
        // A text has at least as many bytes as scalars.
        utf8.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count))) + "…"
    }
}

extension Problem {
    /// Converts a `JSONError` to a problem: 400 if malformed, 422 if a value is not allowed.
    package init(json error: JSONError) {
        self.init(
            error.isMalformed ? .malformedJSON : .invalidContent,
            error.pointer.isEmpty
                ? error.detail : "\(error.pointer.shortened(to: Problem.longestLocation)): \(error.detail)",
            errors: [Fault(.pointer(error.pointer), error.detail)]
        )
    }
}
