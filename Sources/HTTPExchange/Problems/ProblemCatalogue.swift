/// Every kind of problem that a service answers with, by code.
package struct ProblemCatalogue: Sendable {
    /// In the order given, those of every service first.
    package let kinds: [Problem.Kind]

    private let positions: [String: Int]

    /// - Parameter own: the service's own kinds, beside those of every service.
    /// - Precondition: no code stands there twice; the test that builds the catalogue shows a slip.
    package init(own: [Problem.Kind] = []) {
        kinds = Problem.Kind.generic + own
        positions = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1.code, $0) })
    }

    /// The kind with this code.
    package subscript(code: String) -> Problem.Kind? {
        positions[code].map { kinds[$0] }
    }
}
