package import HTTPTypes

/// One line of the route table: where, what it promises, who answers.
///
/// The promises are data, so that the rules that follow from them (401, 400 for an unasked query, 406, 415) are kept in
/// one place and cannot be forgotten in a handler, and so that a test can hold the table against openapi.yaml. A class,
/// though it never changes: every request takes its route along, and this is one reference to count, not one a field.
package final class Route: Sendable {
    package let method: HTTPRequest.Method
    /// The path with its parameters in braces, such as `/v1/bars/{id}`: the label in metrics and in openapi.yaml.
    package let template: String
    package let access: Access
    package let query: QueryUse
    /// The media types of content that the handler reads; anything else is 415.
    ///
    /// Empty: the route does not care.
    package let consumes: [MediaType]
    /// The media types that the handler can answer with, the preferred one first; none of them accepted is 406.
    ///
    /// Empty: the route does not negotiate.
    package let produces: [MediaType]
    package let handler: Handler
    /// Whether the route runs the service, such as a health check: answered also when all connections are taken.
    package let isOperation: Bool

    /// Who may ask, once tokens are configured.
    package enum Access: Sendable {
        /// Only who brings a token.
        case token
        /// Everybody.
        case open
        /// Everybody for the requests that this says yes to, such as a picture of a photo already seen; called on the
        /// server's threads, must not block.
        case openIf(@Sendable (Request, PathParameters) -> Bool)
    }

    /// What becomes of the query.
    package enum QueryUse: Sendable, Equatable {
        /// The route takes no parameters; any is a mistake, told with a 400.
        case refused
        /// The handler reads it through `Query`, which refuses what it does not know.
        case read
        /// It means nothing and is no error: pages and assets.
        case ignored
    }

    /// A line for any method; the static functions below read better.
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
    /// The same route as one that runs the service.
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

    /// A route for GET, and so for HEAD.
    package static func get(
        _ template: String,
        access: Access = .token,
        query: QueryUse = .refused,
        produces: [MediaType] = [.json],
        _ handler: @escaping Handler
    ) -> Route {
        Route(.get, template, access: access, query: query, produces: produces, handler: handler)
    }

    /// A route for POST, with JSON or no content.
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

    /// A route for PUT, with JSON.
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

    /// A route for DELETE.
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
