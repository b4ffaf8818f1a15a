import HTTPExchange
import PhotoLibrary

/// Requests from pages of other sites, which browsers mark (https://www.w3.org/TR/fetch-metadata/), but not over plain HTTP.
///
/// Any page that a user visits can name the service in an `<img>`, and would spend the hour's calls. Such a request is
/// answered from memory or refused, unless the origin of the page is allowed.
extension PhotoService {
    /// Runs a handler within the request's trace, and without fetches if the request is from another site.
    func reply(to request: Request, _ context: Context, _ body: () throws -> Reply) rethrows -> Reply {
        let mayFetch = !isFromOtherSite(request)
        let trace = context.trace.map { UpstreamTrace(parent: $0.traceparent, state: $0.state) }
        // Most requests need no value of a task.
        if mayFetch, trace == nil { return try body() }
        let reply = try UpstreamTrace.$current.withValue(trace) {
            try LibraryCache.$mayFetch.withValue(mayFetch) { try body() }
        }
        guard case .later(let work) = reply else { return reply }
        return .later {
            try await UpstreamTrace.$current.withValue(trace) {
                try await LibraryCache.$mayFetch.withValue(mayFetch) { try await work() }
            }
        }
    }

    /// Whether a page of another site sent the request, and its origin is not allowed.
    ///
    /// An `<img>` sends no Origin, but a Referer with at least the origin of its page.
    private func isFromOtherSite(_ request: Request) -> Bool {
        let (origin, referer) = (request.fields[.origin], request.fields[.referer])
        if let mark = request.fields[.secFetchSite] {
            guard mark == "cross-site" else { return false }
        } else {
            guard let page = origin ?? referer else { return false }
            let host = Self.host(of: page)
            let own = [request.base(publicURL: nil), configuration.publicURL].compactMap { $0.flatMap(Self.host) }
            if let host, own.contains(host) { return false }
        }
        return !configuration.allowedOrigins.contains { allowed in
            allowed == "*" || allowed == origin || referer?.hasPrefix(allowed + "/") ?? false
        }
    }

    /// Returns the host of an address, as browsers write it; nil for `null`, the origin of a file.
    ///
    /// Neither the scheme nor the port makes another site: a proxy may not tell them.
    private static func host(of address: String) -> Substring? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" }
        return authority.first == "[" ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    }
}
