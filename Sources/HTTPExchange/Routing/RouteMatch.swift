/// What the router found for a method and a path.
package struct RouteMatch: Sendable {
    /// The kinds of finding.
    package enum Outcome: Sendable {
        case found(Route)
        /// The path is served; the method asked what is allowed.
        case options(allow: String)
        case methodNotAllowed(allow: String)
        case notFound
        /// The path is served, but the segment of this parameter cannot be decoded (400).
        case malformedPath(parameter: String)
    }

    package let outcome: Outcome
    package let parameters: PathParameters
    /// The template of the path, also when the method is not allowed; nil for an unknown path.
    package let template: String?
    /// Where the template stands in `Router.templates`: what counters index their labels by.
    package let templateIndex: Int?
    private let isPathOpen: Bool

    package init(
        _ outcome: Outcome,
        parameters: PathParameters = PathParameters(),
        template: String? = nil,
        templateIndex: Int? = nil,
        isPathOpen: Bool = false
    ) {
        self.outcome = outcome
        self.parameters = parameters
        self.template = template
        self.templateIndex = templateIndex
        self.isPathOpen = isPathOpen
    }

    /// Who may ask: the route's own word, or everybody where no route was found but all of the path's are open.
    package var access: Route.Access {
        route?.access ?? (isPathOpen ? .open : .token)
    }

    /// The route that answers; nil for anything but `found`.
    package var route: Route? {
        if case .found(let route) = outcome { route } else { nil }
    }
}
