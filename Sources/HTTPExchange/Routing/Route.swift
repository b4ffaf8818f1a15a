package import HTTPTypes
import Primitives

/// One line of the route table: the path, the rules for requests, and the handler.
///
/// The rules are data, so that one place checks them, and a test compares the table with openapi.yaml. A class, so that a
/// request has one reference to count.
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
    package let handler: Handler
    /// Whether content must be JSON: that of a POST and of a PUT.
    private let readsJSON: Bool

    /// The access rule, if tokens are configured.
    package enum Access: Sendable {
        /// A token is required.
        case token
        /// No token is required.
        case open
        /// No token is required, and the route is also served when all connections are in use: a health check.
        case operation
        /// No token is required if the closure returns true, such as for a signed link; called on the server's
        /// threads, must not block.
        case openIf(@Sendable (Request, PathParameters) -> Bool)
    }

    /// The rule for the query.
    package enum QueryUse: Sendable {
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
        self.handler = handler
        readsJSON = method == .post || method == .put
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
    package static func post(_ template: String, query: QueryUse = .refused, _ handler: @escaping Handler) -> Route {
        Route(.post, template, query: query, handler: handler)
    }

    /// Creates a route for PUT, with JSON.
    package static func put(_ template: String, _ handler: @escaping Handler) -> Route {
        Route(.put, template, handler: handler)
    }

    /// Creates a route for DELETE.
    package static func delete(_ template: String, _ handler: @escaping Handler) -> Route {
        Route(.delete, template, handler: handler)
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
