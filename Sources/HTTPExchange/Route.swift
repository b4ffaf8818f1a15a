package import HTTPTypes

/// One line of the route table.
package struct Route: Sendable {
    package let method: HTTPRequest.Method
    /// The path with its parameters in braces, such as `/v1/bars/{id}`: the label in metrics and in openapi.yaml.
    package let template: String
    package let handler: Handler
}

/// What the router found for a method and a path.
package struct RouteMatch: Sendable {
    package enum Outcome: Sendable {
        case found(Route)
        /// The path is served; the method asked what is allowed.
        case options(allow: String)
        case methodNotAllowed(allow: String)
        /// A method that nobody knows (501).
        case methodNotImplemented
        case notFound
    }

    package let outcome: Outcome
    package let parameters: PathParameters
    /// The template of the path, also when the method is not allowed; nil for an unknown path.
    package let template: String?

    package init(_ outcome: Outcome, parameters: PathParameters = PathParameters(), template: String? = nil) {
        self.outcome = outcome
        self.parameters = parameters
        self.template = template
    }

    package var route: Route? {
        if case .found(let route) = outcome { route } else { nil }
    }
}
