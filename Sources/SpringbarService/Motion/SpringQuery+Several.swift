import HTTPExchange

extension SpringQuery {
    /// Reads several springs from one query: those whose parameters begin with the prefixes, in their order.
    ///
    /// - Throws: `Problem` for what is missing, malformed, contradictory or out of range, the first of it in each
    ///   spring: nobody has to mend one spring to hear of the other.
    static func several(_ query: Query, prefixes: [String]) throws -> [SpringQuery] {
        var springs: [SpringQuery] = []
        var problems: [Problem] = []
        for prefix in prefixes {
            do {
                springs.append(try SpringQuery(query, prefix: prefix))
            } catch {
                guard let problem = error as? Problem ?? Problem(of: error) else { throw error }
                problems.append(problem)
            }
        }
        if let problem = Problem(joining: problems) { throw problem }
        return springs
    }
}
