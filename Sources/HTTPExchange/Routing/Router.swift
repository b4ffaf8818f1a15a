package import HTTPTypes
import Primitives

/// Finds the route for a method and a path.
///
/// The table is a trie of path segments, flattened once at start into three arrays: nodes, the literal edges between
/// them, and the text of all literals. A look-up walks the bytes of the path as they stood on the wire; it compares
/// integers and bytes and allocates nothing until a parameter is captured. Nothing here changes after the start, and
/// what a target remembers of its route has a lock, so any number of threads may ask.
///
/// The rules, in the order in which they are decided:
/// - A literal beats a parameter at the same place; when the literal leads nowhere, the parameter is tried.
/// - A trailing slash makes another path, and a parameter never matches an empty segment.
/// - `%62` in a path is the `b` of a literal (RFC 3986, section 6.2.2.2); `%2F` is never a slash.
/// - A path that is served answers 405 with Allow to the methods that it does not have, before its parameters are
///   decoded; HEAD is served wherever GET is, OPTIONS everywhere. An unknown method is refused like any other: RFC 9110,
///   section 15.6.2, suggests 501 for it, but a client must not be able to raise the rate of 5xx.
/// - A parameter is decoded last: text that is not percent-encoded UTF-8 or has a control character is 400. Dot segments
///   are values: which texts a resource can have as its name is the handler's decision.
package struct Router: Sendable {
    /// The table as given.
    package let routes: [Route]
    /// Each path once, in the order of the table.
    package let templates: [String]

    private let trie: RouteTrie
    private let places: [Place]
    private let allowAnywhere: String
    /// Whose findings a target's are.
    let identity = Identity()

    /// What is served at one path.
    private struct Place: Sendable {
        let template: PathTemplate
        var methods: [(method: HTTPRequest.Method, route: Int)]
        var allow: String
        /// Whether every route here is.
        var isOpen: Bool
    }

    /// Builds the trie.
    ///
    /// - Throws: `RouteConflict` for a table with two answers to one request, or none to give.
    package init(routes: [Route]) throws(RouteConflict) {
        var builder = RouteTrie.Builder()
        var places: [Place] = []
        for (index, route) in routes.enumerated() {
            let template = try PathTemplate(route.template)
            let place = try builder.insert(template)
            if place == places.count { places.append(Place(template: template, methods: [], allow: "", isOpen: true)) }
            if places[place].methods.contains(where: { $0.method == route.method }) {
                throw .duplicate(route.method, template: route.template)
            }
            places[place].methods.append((route.method, index))
            if case .open = route.access {} else { places[place].isOpen = false }
        }
        for place in places.indices {
            places[place].allow = Router.allow(places[place].methods.map(\.method))
        }
        self.routes = routes
        self.places = places
        templates = places.map(\.template.text)
        trie = builder.build()
        allowAnywhere = Router.allow(routes.map(\.method))
    }

    /// The route for a request, or what there is to say instead; from the target's memo where it was asked before.
    package func match(_ method: HTTPRequest.Method, _ target: Target) -> RouteMatch {
        if let held = target.memo.match(for: method, by: identity) { return held }
        let path = target.path
        let found = path.utf8.span.withUnsafeBufferPointer { match(method, target, $0) }
        target.memo.hold(found, for: method, by: identity)
        return found
    }

    private func match(
        _ method: HTTPRequest.Method,
        _ target: Target,
        _ path: UnsafeBufferPointer<UInt8>
    ) -> RouteMatch {
        guard let place = trie.place(of: path) else { return matchNowhere(method, target) }
        if let route = route(for: method, at: place) {
            guard !places[place].template.parameterNames.isEmpty else { return found(route, at: place) }
            switch capture(at: place, from: path) {
            case .success(let parameters): return found(route, at: place, parameters)
            case .failure(let fault): return nothing(.malformedPath(parameter: fault.parameter), at: place)
            }
        }
        if method == .options { return nothing(.options(allow: places[place].allow), at: place) }
        return nothing(.methodNotAllowed(allow: places[place].allow), at: place)
    }

    private func found(_ route: Int, at place: Int, _ parameters: PathParameters = PathParameters()) -> RouteMatch {
        RouteMatch(
            .found(routes[route]),
            parameters: parameters,
            template: templates[place],
            templateIndex: place
        )
    }

    private func nothing(_ outcome: RouteMatch.Outcome, at place: Int) -> RouteMatch {
        RouteMatch(outcome, template: templates[place], templateIndex: place, isPathOpen: places[place].isOpen)
    }

    private func matchNowhere(_ method: HTTPRequest.Method, _ target: Target) -> RouteMatch {
        // RFC 9110, section 9.3.7: an asterisk asks about the server as a whole.
        if target.path == "*", method == .options {
            return RouteMatch(.options(allow: allowAnywhere), isPathOpen: true)
        }
        return RouteMatch(.notFound)
    }

    private func route(for method: HTTPRequest.Method, at place: Int) -> Int? {
        for entry in places[place].methods where entry.method == method { return entry.route }
        return method == .head ? route(for: .get, at: place) : nil
    }
}

extension Router {
    /// The methods of RFC 9110, section 9, and PATCH (RFC 5789), in the order in which Allow lists them.
    package static let knownMethods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]

    /// The value of Allow, in the order of `knownMethods`, other methods last.
    private static func allow(_ methods: [HTTPRequest.Method]) -> String {
        var allowed = Set(methods)
        if allowed.contains(.get) { allowed.insert(.head) }
        allowed.insert(.options)
        let others = allowed.subtracting(knownMethods).sorted { $0.rawValue < $1.rawValue }
        return (knownMethods.filter(allowed.contains) + others).map(\.rawValue).joined(separator: ", ")
    }

    private struct CaptureFault: Error {
        let parameter: String
    }

    /// Decodes the segments that the parameters of the place's template stand for.
    private func capture(
        at place: Int,
        from path: UnsafeBufferPointer<UInt8>
    ) -> Result<PathParameters, CaptureFault> {
        let names = places[place].template.parameterNames
        var parameters = PathParameters(names: names)
        var count = 0
        var segment = 0
        var start = 1
        while count < names.count {
            let end = ByteSearch.index(of: UInt8(ascii: "/"), in: path, from: start) ?? path.count
            if segment == places[place].template.parameterSegments[count] {
                let text = UnsafeBufferPointer(rebasing: path[start..<end])
                guard let value = PercentEncoding.decode(text) else {
                    return .failure(CaptureFault(parameter: names[count]))
                }
                parameters.append(value, at: count)
                count += 1
            }
            segment += 1
            start = end + 1
        }
        return .success(parameters)
    }
}
