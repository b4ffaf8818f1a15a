package import HTTPTypes

/// One line of the route table: the path, the rules for requests, and the handler.
///
/// The rules are data, so that their checks (401, 400 for an unexpected query, 406, 415) are in one place and not in each
/// handler, and so that a test can compare the table with openapi.yaml. A class, although it never changes: every request
/// holds its route, which is one reference to count instead of one for each field.
package final class Route: Sendable {
    package let method: HTTPRequest.Method
    /// The path with its parameters in braces, such as `/v1/bars/{id}`: the label in metrics and in openapi.yaml.
    package let template: String
    package let access: Access
    package let query: QueryUse
    /// The media types of content that the handler reads; others are 415.
    ///
    /// Empty: all are accepted.
    package let consumes: [MediaType]
    /// The media types of the response, the preferred one first; 406 if there are several and none is accepted.
    ///
    /// With one type or none the route does not negotiate and ignores Accept, as RFC 9110, section 12.5.1 allows.
    package let produces: [MediaType]
    package let handler: Handler
    /// Whether the route serves operations, such as a health check; also served when all connections are in use.
    package let isOperation: Bool

    /// The access rule, if tokens are configured.
    package enum Access: Sendable {
        /// A token is required.
        case token
        /// No token is required.
        case open
        /// No token is required if the closure returns true, such as for a picture of a known photo; called on the
        /// server's threads, must not block.
        case openIf(@Sendable (Request, PathParameters) -> Bool)
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

    /// Creates a route for any method.
    package init(
        _ method: HTTPRequest.Method,
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        consumes: [MediaType] = [],
        produces: [MediaType] = [.json],
        isOperation: Bool = false,
        handler: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.access = access
        self.query = query
        self.consumes = consumes
        self.produces = produces
        self.isOperation = isOperation
        self.handler = handler
    }
}

extension Route {
    /// The same route as an operation.
    package var asOperation: Route {
        Route(
            method,
            template,
            access: access,
            query: query,
            consumes: consumes,
            produces: produces,
            isOperation: true,
            handler: handler
        )
    }

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
        consumes: [MediaType] = [.json],
        produces: [MediaType] = [.json],
        _ handler: @escaping Handler
    ) -> Route {
        Route(
            .post,
            template,
            access: access,
            query: query,
            consumes: consumes,
            produces: produces,
            handler: handler
        )
    }

    /// Creates a route for PUT, with JSON.
    package static func put(
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        consumes: [MediaType] = [.json],
        produces: [MediaType] = [.json],
        _ handler: @escaping Handler
    ) -> Route {
        Route(
            .put,
            template,
            access: access,
            query: query,
            consumes: consumes,
            produces: produces,
            handler: handler
        )
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
    /// - Returns: the media type of the response; nil if the route has none.
    /// - Throws: `Problem` 400 for an unexpected query, 415 and 406.
    func admit(_ request: Request) throws(Problem) -> MediaType? {
        if query == .refused, let text = request.target.query, !text.isEmpty {
            _ = try Query(request.target, allowing: [])
        }
        if !consumes.isEmpty, !request.content.isEmpty { try request.requireContent(in: consumes) }
        return produces.count > 1 ? try request.preferred(of: produces) : produces.first
    }
}
