extension Route {
    /// Holds a request against the route's promises before its handler sees it.
    ///
    /// - Returns: the media type to answer with; nil when the route does not negotiate.
    /// - Throws: `Problem` 400 for a query that nobody asked for, 415 and 406.
    func admit(_ request: Request) throws(Problem) -> MediaType? {
        if query == .refused, let text = request.target.query, !text.isEmpty {
            _ = try Query(request.target, allowing: [])
        }
        if !consumes.isEmpty, !request.content.isEmpty { try request.requireContent(in: consumes) }
        return produces.isEmpty ? nil : try request.preferred(of: produces)
    }
}
