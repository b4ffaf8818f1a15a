/// The result of the router for a method and a path.
package struct RouteMatch: Sendable {
    /// The kinds of results.
    package enum Outcome: Sendable {
        case found(Route)
        /// The path exists, and the method is OPTIONS.
        case options(allow: String)
        case methodNotAllowed(allow: String)
        case notFound
        /// The path exists, but the segment of this parameter cannot be decoded (400).
        case malformedPath(parameter: String)
    }

    package let outcome: Outcome
    package let parameters: PathParameters
    /// The template of the path, also when the method is not allowed; nil for an unknown path.
    package let template: String?
    /// The index of the template in `Router.templates`, by which metrics find their labels.
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

    /// The access rule: that of the route, or open if the path exists and all of its routes are open.
    package var access: Route.Access {
        route?.access ?? (isPathOpen ? .open : .token)
    }

    /// The route; nil for other results.
    package var route: Route? {
        if case .found(let route) = outcome { route } else { nil }
    }
}

/// The decoded parameters of a path.
package struct PathParameters: Sendable, Equatable {
    private let names: [String]
    /// The value of the first name: most paths have at most one parameter, which then needs no array.
    private var first = ""
    /// The values of the other names.
    private var others: [String] = []

    /// Creates no parameters, for a path of literals.
    package init() {
        self.init(names: [])
    }

    /// Creates parameters of these names, whose values are appended in order.
    init(names: [String]) {
        self.names = names
    }

    /// Appends the value of the name at `index`.
    mutating func append(_ value: String, at index: Int) {
        if index == 0 { first = value } else { others.append(value) }
    }

    /// Returns the value of a parameter; nil for a name that the template does not have.
    package subscript(name: String) -> String? {
        names.firstIndex(of: name).map { $0 == 0 ? first : others[$0 - 1] }
    }

    /// Returns the value of a parameter.
    ///
    /// - Precondition: the template has the parameter.
    package func require(_ name: String) -> String {
        guard let value = self[name] else { preconditionFailure("the template has no parameter {\(name)}") }
        return value
    }

    /// Returns the value as a raw-representable type.
    ///
    /// - Throws: `Problem` 404 for an unknown value.
    package func require<T: RawRepresentable<String>>(_ name: String, as type: T.Type) throws(Problem) -> T {
        try require(name, as: T.init(rawValue:))
    }

    /// Returns the value converted by `make`, such as a validating initialiser.
    ///
    /// - Throws: `Problem` 404 if `make` returns nil.
    package func require<T>(_ name: String, as make: (String) -> T?) throws(Problem) -> T {
        let text = require(name)
        guard let value = make(text) else { throw .noSuchParameter(name, text) }
        return value
    }
}
