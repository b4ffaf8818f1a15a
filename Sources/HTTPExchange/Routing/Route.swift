package import HTTPTypes
import Primitives

/// One line of the route table: the path, the rules for requests, and the handler.
///
/// The rules are data, so that their checks (401, 400 for an unexpected query, 406, 415) are in one place and not in each
/// handler, and so that a test can compare the table with openapi.yaml. A class, although it never changes: every request
/// holds its route, which is one reference to count instead of one for each field.
package final class Route: Sendable {
    package let method: HTTPRequest.Method
    /// The path with its parameters in braces, such as `/v1/items/{id}`: the label in metrics and in openapi.yaml.
    package let template: String
    package let access: Access
    package let query: QueryUse
    /// The media types of the response, the preferred one first; 406 if there are several and none is accepted.
    ///
    /// With one type or none the route does not negotiate and ignores Accept, as RFC 9110, section 12.5.1 allows.
    package let produces: [MediaType]
    /// Whether content must be JSON: that of a POST and of a PUT.
    private let readsJSON: Bool
    package let handler: Handler

    /// The access rule, if tokens are configured.
    package enum Access: Sendable {
        /// A token is required.
        case token
        /// No token is required.
        case open
        /// No token is required, and the route is also served when all connections are in use: a health check.
        case operation
        /// No token is required if the closure returns true, such as for a known item; called on the server's
        /// threads, must not block. If it returns false, the second closure decides, which may wait.
        case openIf(
            @Sendable (Request, PathParameters) -> Bool,
            orLater: (@Sendable (PathParameters) async -> Bool)? = nil
        )
    }

    /// The rule for the query.
    package enum QueryUse: Sendable, Equatable {
        /// The route has no parameters; any is 400.
        case refused
        /// The handler reads it with `Query`, which refuses unknown parameters.
        case read
        /// The query is ignored: pages and assets.
        case ignored
    }

    /// Whether the route is also served when all connections are in use.
    package var isOperation: Bool {
        if case .operation = access { true } else { false }
    }

    /// Creates a route for any method.
    package init(
        _ method: HTTPRequest.Method,
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        produces: [MediaType] = [.json],
        handler: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.access = access
        self.query = query
        self.produces = produces
        readsJSON = method == .post || method == .put
        self.handler = handler
    }
}

extension Route {
    /// Creates a route for GET and HEAD.
    package static func get(
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        produces: [MediaType] = [.json],
        _ handler: @escaping Handler
    ) -> Route {
        Route(.get, template, access: access, query: query, produces: produces, handler: handler)
    }

    /// Creates a route for POST, with JSON or no content.
    package static func post(
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        produces: [MediaType] = [.json],
        _ handler: @escaping Handler
    ) -> Route {
        Route(.post, template, access: access, query: query, produces: produces, handler: handler)
    }

    /// Creates a route for PUT, with JSON.
    package static func put(_ template: String, access: Access = .token, _ handler: @escaping Handler) -> Route {
        Route(.put, template, access: access, handler: handler)
    }

    /// Creates a route for DELETE.
    package static func delete(
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        produces: [MediaType] = [.json],
        _ handler: @escaping Handler
    ) -> Route {
        Route(.delete, template, access: access, query: query, produces: produces, handler: handler)
    }
}

extension Route {
    /// Checks a request by the rules of the route.
    ///
    /// - Throws: `Problem` 400 for an unexpected query, 415 and 406.
    func admit(_ request: Request) throws(Problem) {
        if query == .refused, let text = request.target.query, !text.isEmpty {
            _ = try Query(request.target, allowing: [])
        }
        if readsJSON, !request.content.isEmpty { try request.requireJSON() }
        if produces.count > 1 { _ = try request.preferred(of: produces) }
    }
}

/// A parsed template such as `/v1/items/{id}/events`.
struct PathTemplate: Sendable {
    /// A segment between two slashes.
    enum Segment: Sendable, Equatable {
        /// Matches itself; empty after a trailing slash.
        case literal(String)
        /// Matches any segment that is not empty.
        case parameter(String)
    }

    let text: String
    let segments: [Segment]
    /// The names of the parameters, in path order.
    let parameterNames: [String]
    /// The indices of their segments, in the same order.
    let parameterSegments: [Int]

    init(_ text: String) throws(RouteConflict) {
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw .malformed(text, reason: "a template must begin with a slash")
        }
        var segments: [Segment] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try PathTemplate.segment(part, of: text))
        }
        if let empty = segments.firstIndex(of: .literal("")), empty != segments.count - 1 {
            throw .malformed(text, reason: "an empty segment can only be the last")
        }
        var names: [String] = []
        var positions: [Int] = []
        for (position, segment) in segments.enumerated() {
            guard case .parameter(let name) = segment else { continue }
            guard !names.contains(name) else { throw .malformed(text, reason: "{\(name)} is repeated") }
            names.append(name)
            positions.append(position)
        }
        self.text = text
        self.segments = segments
        parameterNames = names
        parameterSegments = positions
    }

    private static func segment(_ part: Substring, of text: String) throws(RouteConflict) -> Segment {
        if part.first == "{", part.last == "}" {
            let name = part.dropFirst().dropLast()
            guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
                throw .malformed(text, reason: "\(part) is not a name in braces")
            }
            return .parameter(String(name))
        }
        // Unreserved characters only: a look-up compares a literal with their decoded form.
        guard part.utf8.allSatisfy(PercentEncoding.isUnreserved) else {
            throw .malformed(text, reason: "\(part) has characters other than A-Z a-z 0-9 - . _ ~")
        }
        return .literal(String(part))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~")
    }
}

/// A fault of the route table, found when the service starts.
package enum RouteConflict: Error, Equatable, CustomStringConvertible {
    /// Two routes with the same method and path.
    case duplicate(HTTPRequest.Method, template: String)
    /// Two names for the parameter of one segment.
    case parameterNames(String, String, template: String)
    /// A template that is not a path of literals and `{parameters}`.
    case malformed(String, reason: String)

    package var description: String {
        switch self {
        case .duplicate(let method, let template):
            "\(method) \(template) is repeated"
        case .parameterNames(let first, let second, let template):
            "\(template) names a parameter {\(second)}, and another route names it {\(first)}"
        case .malformed(let template, let reason):
            "\(template): \(reason)"
        }
    }
}
