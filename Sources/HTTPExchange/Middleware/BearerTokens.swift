import HTTPTypes
import Primitives

/// Requires a bearer token (RFC 6750) for routes that are not open.
///
/// OPTIONS needs no token, since a preflight cannot have one. Without a route, the path decides: a method that the path
/// does not have is open if the path is, and an unknown path is open outside of the prefixes.
///
/// The answer to a request that needed its token is `private`.
package struct BearerTokens: Middleware {
    private let tokens: [(bytes: [UInt8], principal: UInt64)]
    private let prefixes: [String]

    /// - Parameters:
    ///   - tokens: the accepted tokens; at least one, and none is empty.
    ///   - prefixes: prefixes such as `/v1/` below which unknown paths also require a token.
    package init(tokens: [String], prefixes: [String]) {
        precondition(!tokens.isEmpty && !tokens.contains(""), "a token must not be empty")
        self.tokens = tokens.map { (Array($0.utf8), BearerTokens.fingerprint(of: Array($0.utf8))) }
        self.prefixes = prefixes
    }

    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? {
        if request.method == .options || isOpen(request, context.match) { return nil }
        guard let presented = presentedToken(request) else {
            throw BearerTokens.refusal("Authorization must be `Bearer <token>`.", challenge: "Bearer")
        }
        guard let principal = principal(of: presented) else {
            // RFC 6750, section 3: only a request with a token gets the reason.
            throw BearerTokens.refusal("The token is not known.", challenge: "Bearer error=\"invalid_token\"")
        }
        context.principal = principal
        return nil
    }

    /// Makes the answer to a request with a token private (RFC 9111, section 3.5): with `public`, a shared cache would
    /// send it to clients without one.
    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard context.principal != nil else { return }
        let control = response.fields[.cacheControl]
        // Answers to other methods are not stored without it (RFC 9111, section 3), so they need no field more.
        guard control != nil || request.method == .get || request.method == .head else { return }
        response.fields[.cacheControl] = BearerTokens.privately(control ?? "")
    }

    /// Returns a Cache-Control without the directives that allow shared caches to store the response.
    private static func privately(_ control: String) -> String {
        let directives = control.split(separator: ",").map { $0.trimmingBlanks() }
        if directives.contains("no-store") || directives.contains("private") { return control }
        let others = directives.filter { $0 != "public" && !$0.hasPrefix("s-maxage=") }
        return (["private"] + others).joined(separator: ", ")
    }

    private func isOpen(_ request: Request, _ match: RouteMatch) -> Bool {
        guard match.template != nil else {
            return !prefixes.contains { request.target.path.utf8.starts(with: $0.utf8) }
        }
        switch match.access {
        case .token: return false
        case .open, .operation: return true
        case .openIf(let condition): return condition(request, match.parameters)
        }
    }

    private func presentedToken(_ request: Request) -> [UInt8]? {
        guard let value = request.fields.single(.authorization),
            let space = value.utf8.firstIndex(of: UInt8(ascii: " ")), value[..<space].lowercased() == "bearer"
        else { return nil }
        let token = value.utf8[space...].drop { $0 == UInt8(ascii: " ") }
        return token.isEmpty ? nil : Array(token)
    }

    /// Returns the principal of a token; nil for an unknown one.
    ///
    /// Compares with every token, so that the duration does not reveal the one that it is.
    private func principal(of presented: [UInt8]) -> UInt64? {
        var match: UInt64?
        for (token, principal) in tokens {
            if presented.isEqual(toSecret: token) { match = principal }
        }
        return match
    }

    /// Returns a number of a token that is the same in every replica, and from which the token cannot be derived.
    ///
    /// Two hashes reduce the token to a key, and the number is the hash of a constant under that key.
    private static func fingerprint(of token: [UInt8]) -> UInt64 {
        let key = (SipHash.hash(token), SipHash.hash(token + [0]))
        return "principal".utf8.span.withUnsafeBytes { SipHash.hash($0, key: key) }
    }

    private static func refusal(_ detail: String, challenge: String) -> Problem {
        Problem(.unauthorized, detail, fields: [.wwwAuthenticate: challenge])
    }
}
