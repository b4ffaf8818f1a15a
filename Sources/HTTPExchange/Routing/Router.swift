package import HTTPTypes
import Primitives
import Synchronization

/// Finds the route for a method and a path.
///
/// A look-up compares the bytes of the path as received with the paths of as many segments, and allocates nothing until a
/// parameter is captured.
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

    /// The paths by the number of their segments, in the order of precedence.
    private let paths: [[RoutedPath]]
    private let allowAnywhere: String

    /// - Precondition: each template is a path of literals and different `{parameters}`; no method and path is repeated.
    package init(routes: [Route]) {
        var table: [(segments: [RoutedPath.Segment], routes: [Route])] = []
        for route in routes {
            let segments = RoutedPath.segments(of: route.template)
            let index = table.firstIndex { $0.segments.elementsEqual(segments) { $0.isSame(as: $1) } } ?? table.count
            if index == table.count { table.append((segments, [])) }
            let others = table[index].routes
            let isNew = others.allSatisfy { $0.template == route.template && $0.method != route.method }
            precondition(isNew, "\(route.template) is repeated")
            table[index].routes.append(route)
        }
        let all = table.enumerated().map { RoutedPath(index: $0, segments: $1.segments, routes: $1.routes) }
        let longest = all.map(\.segments.count).max() ?? 0
        paths = (0...longest).map { count in
            all.filter { $0.segments.count == count }.sorted { one, other in
                one.segments.lexicographicallyPrecedes(other.segments) { !$0.isParameter && $1.isParameter }
            }
        }
        templates = all.map(\.template)
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

    /// Returns the route for a request, or the reason why there is none.
    ///
    /// A client often sends its requests to one path, and the server keeps the last target of a connection. So the target
    /// stores the match, and the second request finds the route and the decoded parameters there.
    package func match(_ method: HTTPRequest.Method, _ target: Target) -> RouteMatch {
        if let last = target.lastMatch.withLock({ $0 }), last.router === self, last.method == method { return last }
        let path = target.path
        let match = path.utf8.span.withUnsafeBufferPointer { bytes in
            let match = find(bytes)
            let (outcome, parameters) = self.outcome(of: method, target, match, bytes)
            return RouteMatch(outcome, match?.path, parameters, for: method, by: self)
        }
        target.lastMatch.withLock { $0 = match }
        return match
    }

    /// Returns the path that a path of a request matches, and the positions of its parameters.
    private func find(_ path: UnsafeBufferPointer<UInt8>) -> (path: RoutedPath, parameters: [Range<Int>])? {
        let count = path.count { $0 == UInt8(ascii: "/") }
        guard paths.indices ~= count else { return nil }
        for candidate in paths[count] {
            if let parameters = candidate.parameters(in: path) { return (candidate, parameters) }
        }
        return nil
    }

    private func outcome(
        of method: HTTPRequest.Method,
        _ target: Target,
        _ match: (path: RoutedPath, parameters: [Range<Int>])?,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (RouteMatch.Outcome, PathParameters) {
        var parameters = PathParameters()
        guard let (path, ranges) = match else {
            // RFC 9110, section 9.3.7: an asterisk refers to the whole server.
            let isServer = target.path == "*" && method == .options
            return (isServer ? .options(allow: allowAnywhere) : .notFound, parameters)
        }
        guard let route = path.route(for: method) else {
            return (method == .options ? .options(allow: path.allow) : .methodNotAllowed(allow: path.allow), parameters)
        }
        for (name, range) in zip(path.segments.compactMap(\.parameter), ranges) {
            guard let value = PercentEncoding.decode(UnsafeBufferPointer(rebasing: bytes[range])) else {
                return (.malformedPath(parameter: name), PathParameters())
            }
            parameters.entries.append((name, value))
        }
        return (.found(route), parameters)
    }
}

/// A path of the table with its routes; an object, to which matches refer.
final class RoutedPath: Sendable {
    /// A part of a path between two slashes.
    enum Segment: Sendable, Equatable {
        case literal([UInt8])
        case parameter(String)

        /// The name of a parameter; nil for a literal.
        var parameter: String? { if case .parameter(let name) = self { name } else { nil } }
        var isParameter: Bool { parameter != nil }

        /// Returns whether both match the same texts.
        func isSame(as other: Segment) -> Bool { isParameter && other.isParameter || self == other }
    }

    let template: String
    let index: Int
    let segments: [Segment]
    let allow: String
    /// Whether no route requires a token.
    let isOpen: Bool
    private let routes: [Route]

    fileprivate init(index: Int, segments: [Segment], routes: [Route]) {
        self.index = index
        self.segments = segments
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

    /// Returns the segments of a template such as `/v1/items/{id}/events`.
    ///
    /// - Precondition: it is a path of literals and different parameters; only the last segment is empty.
    static func segments(of template: String) -> [Segment] {
        precondition(template.utf8.first == UInt8(ascii: "/"), "\(template) must begin with a slash")
        let texts = template.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let segments = texts.map { text -> Segment in
            let isParameter = text.first == "{" && text.last == "}"
            let text = isParameter ? text.dropFirst().dropLast() : text
            // Unreserved characters only: a look-up compares a literal with their decoded form.
            precondition(text.utf8.allSatisfy(PercentEncoding.isUnreserved), "\(template) has a reserved character")
            return isParameter ? .parameter(String(text)) : .literal(Array(text.utf8))
        }
        let names = segments.compactMap(\.parameter)
        precondition(Set(names).count == names.count, "\(template) repeats a parameter")
        let isComplete = !names.contains("") && !segments.dropLast().contains(.literal([]))
        precondition(isComplete, "\(template) has an empty segment")
        return segments
    }

    /// Returns the positions of the parameters in a path; nil if the path does not match.
    func parameters(in path: UnsafeBufferPointer<UInt8>) -> [Range<Int>]? {
        var parameters: [Range<Int>] = []
        var position = 0
        for segment in segments {
            guard position < path.count, path[position] == UInt8(ascii: "/") else { return nil }
            let start = position + 1
            switch segment {
            case .literal(let literal):
                guard let end = RoutedPath.end(of: literal, in: path, from: start) else { return nil }
                position = end
            case .parameter:
                position = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
                if position == start { return nil }
                parameters.append(start..<position)
            }
        }
        return position == path.count ? parameters : nil
    }

    /// Returns the end of a literal at a position, after decoding unreserved characters; nil for another text.
    private static func end(of literal: [UInt8], in path: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        for byte in literal {
            guard position < path.count else { return nil }
            if path[position] == byte {
                position += 1
            } else if path[position] == UInt8(ascii: "%"), position + 2 < path.count,
                let high = PercentEncoding.hexValue(path[position + 1]),
                let low = PercentEncoding.hexValue(path[position + 2]), high << 4 | low == byte
            {
                position += 3
            } else {
                return nil
            }
        }
        return position
    }
}

/// The result of the router for a method and a path.
///
/// A class, so that a target and a context have one reference to count.
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
    /// The index of the method in `Router.knownMethods`; their number for another one.
    package let methodIndex: Int
    private let path: RoutedPath?
    fileprivate let method: HTTPRequest.Method
    fileprivate let router: Router

    fileprivate init(
        _ outcome: Outcome,
        _ path: RoutedPath?,
        _ parameters: PathParameters,
        for method: HTTPRequest.Method,
        by router: Router
    ) {
        self.outcome = outcome
        self.path = path
        self.parameters = parameters
        self.method = method
        self.router = router
        methodIndex = Router.knownMethods.firstIndex(of: method) ?? Router.knownMethods.count
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
    fileprivate var entries: [(name: String, value: String)] = []

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
            let names = T.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw Problem(.notFound, "`\(text[...].excerpt)` is not a \(name) of this path; the \(name)s are \(names).")
        }
        return value
    }
}
