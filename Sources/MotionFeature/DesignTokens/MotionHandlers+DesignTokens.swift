package import HTTPExchange
import Motion
import Primitives
import SpringConventions
import Synchronization

/// The design tokens of the service's file, which are replaced when it changes.
package final class CurrentDesignTokens: Sendable {
    private let state = Lock((tokens: DesignTokens(), version: 0, list: CurrentDesignTokens.list(DesignTokens())))

    package func replace(with tokens: DesignTokens) {
        let list = CurrentDesignTokens.list(tokens)
        state.withLock { $0 = (tokens, $0.version + 1, list) }
    }

    /// The design tokens, the number of their file among those that were read, and the response with all of them.
    var value: (tokens: DesignTokens, version: Int, list: Response) { state.withLock { $0 } }

    private static func list(_ tokens: DesignTokens) -> Response { .computed(tokens.json, isConstant: false) }
}

extension MotionHandlers {
    /// `GET /v1/design-tokens`: the design tokens of the service's file.
    package func listDesignTokens(_ request: Request, _ context: Context) throws -> Reply {
        .now(designTokens.value.list)
    }

    /// `GET /v1/design-tokens/{name}`: the answer of `/v1/springs` for a spring of the service's file.
    package func designToken(_ request: Request, _ context: Context) throws -> Reply {
        let name = context.parameters.require("name")
        do { _ = try designTokens.value.tokens.query(of: name) } catch {
            throw Problem(.notFound, Problem(error).detail)
        }
        var request = request
        request.target = Target("/v1/springs?designToken=\(PercentEncoding.encode(name))")
        return try spring(request, context)
    }

    /// `POST /v1/design-tokens`: the source file of a platform for a file of design tokens.
    package func writeDesignTokens(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["platform"])
        guard let platform = try query.choice("platform", of: DesignTokens.Platform.self) else {
            throw Problem.invalidQuery("platform", "is missing")
        }
        // A target has no space, so no other work has this name.
        return work(named: "\(request.target.raw) ".utf8 + request.content, context) {
            var response = Response.text(try DesignTokens(request.content).source(for: platform))
            response.fields[.contentDisposition] = "inline; filename=\"\(platform.fileName)\""
            return response
        }
    }
}

extension DesignTokens {
    /// Reads a query, with the parameters of a spring in place of each `designToken`; constant without one.
    func read(_ target: Target, _ names: [String]) throws -> (query: Query, isConstant: Bool) {
        var query = try Query(target, allowing: names)
        let references = query.names.filter { $0.hasSuffix("designToken") }
        for name in references {
            let prefix = String(name.dropLast("designToken".count))
            do {
                let parameters = try self.query(of: query.requiredString(name)).map { (prefix + $0.name, $0.value) }
                query = try query.replacing(name, with: parameters)
            } catch let error as MotionError {
                throw Problem(error, prefix: prefix)
            }
        }
        return (query, references.isEmpty)
    }

    /// Returns the query of a spring by its path, or by the end of its path, such as `sheet`, if no other one has it.
    func query(of name: String) throws(MotionError) -> [(name: String, value: String)] {
        let springs = all.filter { if case .spring = $0.meaning { true } else { false } }
        let end = Array(".\(name)".utf8)
        let matches = springs.filter { ".\($0.path)".utf8.suffix(end.count).elementsEqual(end) }
        let token = matches.first { $0.path.utf8.count == name.utf8.count } ?? (matches.count == 1 ? matches[0] : nil)
        guard case .spring(let convention, let values, _)? = token?.meaning else {
            let paths = (matches.isEmpty ? springs : matches).prefix(20).map { "`\($0.path)`" }.joined(separator: ", ")
            let rule =
                paths.isEmpty ? "a spring in the file of SPRINGBAR_DESIGN_TOKENS, which has none" : "one of \(paths)"
            throw .noSpring(parameter: "designToken", reason: "must be \(rule)")
        }
        let texts = values.map { ($0, Conventions.flagNames.contains($0) ? "\($1 == 1)" : "\($1)") }
        return [("convention", convention.id)] + texts
    }
}
