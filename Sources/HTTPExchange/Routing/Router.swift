package import HTTPTypes
import Primitives
import Synchronization

/// Finds the route for a method and a path.
///
/// A look-up compares the bytes of the path as received, and allocates nothing until a parameter is captured.
///
/// The rules, in their order:
/// - A literal has precedence over a parameter; if the literal does not match, the parameter is tried.
/// - A trailing slash makes a different path, and a parameter never matches an empty segment.
/// - `%62` in a path is the `b` of a literal (RFC 3986, section 6.2.2.2); `%2F` is never a slash.
/// - A path answers 405 with Allow to methods that it does not have, before its parameters are decoded. HEAD is served
///   wherever GET is, and OPTIONS everywhere. An unknown method is refused in the same way: RFC 9110, section 15.6.2,
///   suggests 501, but clients must not be able to raise the rate of 5xx.
/// - A parameter is decoded last: text that is not percent-encoded UTF-8 or has a control character is 400. Dot segments
///   are values: the handler decides which names its resource can have.
package final class Router: Sendable {
    /// Each path once, in the order of the table.
    package let templates: [String]

    private let trie: RouteTrie
    private let paths: [RoutedPath]
    private let allowAnywhere: String

    /// - Precondition: each template is a path of literals and different `{parameters}`; no method and path is repeated.
    package init(routes: [Route]) {
        var trie = RouteTrie()
        var table: [(parameters: [(name: String, segment: Int)], routes: [Route])] = []
        for route in routes {
            let (index, parameters) = trie.insert(route.template)
            if index == table.count { table.append((parameters, [])) }
            let others = table[index].routes
            let isNew = others.allSatisfy { $0.template == route.template && $0.method != route.method }
            precondition(isNew, "\(route.template) is repeated")
            table[index].routes.append(route)
        }
        self.trie = trie
        paths = table.enumerated().map { RoutedPath(index: $0, parameters: $1.parameters, routes: $1.routes) }
        templates = paths.map(\.template)
        allowAnywhere = Router.allow(routes)
    }

    /// The methods of RFC 9110, section 9, and PATCH (RFC 5789), in the order in which Allow lists them.
    package static let knownMethods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    /// Returns the value of Allow, in the order of `knownMethods`, with other methods last.
    fileprivate static func allow(_ routes: [Route]) -> String {
        var allowed = Set(routes.map(\.method))
        if allowed.contains(.get) { allowed.insert(.head) }
        allowed.insert(.options)
        let others = allowed.subtracting(knownMethods).sorted { $0.rawValue < $1.rawValue }
        return (knownMethods.filter(allowed.contains) + others).map(\.rawValue).joined(separator: ", ")
    }
}

extension Router {
    /// Returns the route for a request, or the reason why there is none.
    package func match(_ method: HTTPRequest.Method, _ target: Target) -> RouteMatch {
        if let known = target.memo.match(for: method, by: self) { return known }
        let path = target.path
        let found = path.utf8.span.withUnsafeBufferPointer { match(method, target, $0) }
        target.memo.store(found, for: method, by: self)
        return found
    }

    private func match(
        _ method: HTTPRequest.Method,
        _ target: Target,
        _ path: UnsafeBufferPointer<UInt8>
    ) -> RouteMatch {
        guard let index = trie.templateIndex(of: path) else {
            // RFC 9110, section 9.3.7: an asterisk refers to the whole server.
            let isServer = target.path == "*" && method == .options
            return RouteMatch(isServer ? .options(allow: allowAnywhere) : .notFound)
        }
        let routed = paths[index]
        if let route = routed.route(for: method) { return capture(route, of: routed, from: path) }
        let allow = routed.allow
        return RouteMatch(method == .options ? .options(allow: allow) : .methodNotAllowed(allow: allow), routed)
    }

    /// Decodes the segments of the parameters.
    private func capture(_ route: Route, of routed: RoutedPath, from path: UnsafeBufferPointer<UInt8>) -> RouteMatch {
        var parameters = PathParameters()
        var segment = 0
        var start = 1
        for parameter in routed.parameters {
            while segment < parameter.segment {
                start = (path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count) + 1
                segment += 1
            }
            let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
            guard let value = PercentEncoding.decode(UnsafeBufferPointer(rebasing: path[start..<end])) else {
                return RouteMatch(.malformedPath(parameter: parameter.name), routed)
            }
            parameters.append(value, named: parameter.name)
        }
        return RouteMatch(.found(route), routed, parameters)
    }
}

/// A path of the table with its routes; an object, to which matches refer.
final class RoutedPath: Sendable {
    let template: String
    let index: Int
    /// The names of the parameters, and the indices of their segments.
    let parameters: [(name: String, segment: Int)]
    let allow: String
    /// Whether no route requires a token.
    let isOpen: Bool
    private let routes: [Route]

    fileprivate init(index: Int, parameters: [(name: String, segment: Int)], routes: [Route]) {
        self.index = index
        self.parameters = parameters
        self.routes = routes
        template = routes.first?.template ?? ""
        allow = Router.allow(routes)
        isOpen = routes.allSatisfy { route in
            switch route.access {
            case .open, .operation: true
            case .token, .openIf: false
            }
        }
    }

    func route(for method: HTTPRequest.Method) -> Route? {
        for route in routes where route.method == method { return route }
        return method == .head ? route(for: .get) : nil
    }
}

/// The last match of a router for a target.
///
/// A client often sends its requests to one path, and the server keeps the last target of a connection. So the second
/// request finds the route and the decoded parameters here.
final class RouteMemo: Sendable {
    private struct Finding: Sendable {
        let match: RouteMatch
        let method: HTTPRequest.Method
        let router: Router
    }

    private let finding = Lock<Finding?>(nil)

    /// Returns the match, if it is one for this method and router.
    func match(for method: HTTPRequest.Method, by router: Router) -> RouteMatch? {
        finding.withLock { finding in
            guard let finding, finding.router === router, finding.method == method else { return nil }
            return finding.match
        }
    }

    /// Stores a match, and drops the previous one.
    func store(_ match: RouteMatch, for method: HTTPRequest.Method, by router: Router) {
        let new = Finding(match: match, method: method, router: router)
        finding.withLock { $0 = new }
    }
}

/// The result of the router for a method and a path.
///
/// A class, so that a memo and a context have one reference to count.
package final class RouteMatch: Sendable {
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
    private let path: RoutedPath?

    init(_ outcome: Outcome, _ path: RoutedPath? = nil, _ parameters: PathParameters = PathParameters()) {
        self.outcome = outcome
        self.path = path
        self.parameters = parameters
    }

    /// The template of the path, also when the method is not allowed; nil for an unknown path.
    package var template: String? { path?.template }

    /// The index of the template in `Router.templates`, by which metrics find their labels.
    package var templateIndex: Int? { path?.index }

    /// The access rule: that of the route, or open if the path exists and all of its routes are open.
    package var access: Route.Access {
        switch outcome {
        case .found(let route): route.access
        case .options where path == nil: .open
        default: path?.isOpen == true ? .open : .token
        }
    }

    /// The route; nil for other results.
    package var route: Route? {
        if case .found(let route) = outcome { route } else { nil }
    }
}

/// The decoded parameters of a path.
package struct PathParameters: Sendable {
    private var entries: [(name: String, value: String)] = []

    init() {}

    mutating func append(_ value: String, named name: String) {
        entries.append((name, value))
    }

    /// Returns the value of a parameter; nil for a name that the template does not have.
    package subscript(name: String) -> String? { entries.first { $0.name == name }?.value }

    /// Returns the value of a parameter.
    ///
    /// - Precondition: the template has the parameter.
    package func require(_ name: String) -> String {
        guard let value = self[name] else { preconditionFailure("the template has no parameter {\(name)}") }
        return value
    }

    /// Returns the value as a case of an enumeration.
    ///
    /// - Throws: `Problem` 404 with the known values for an unknown one.
    package func require<T: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        as type: T.Type
    ) throws(Problem) -> T {
        let text = require(name)
        guard let value = T(rawValue: text) else {
            let known = T.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw Problem(.notFound, "`\(text[...].excerpt)` is not a \(name) of this path; the \(name)s are \(known).")
        }
        return value
    }
}
