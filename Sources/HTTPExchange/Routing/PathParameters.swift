/// What the braces of a template stood for in a path, decoded.
package struct PathParameters: Sendable, Equatable {
    private let names: [String]
    /// The value of the first name; nearly every path that has parameters has one, and needs no list for it.
    private var first = ""
    /// The values of the other names.
    private var others: [String] = []

    /// No parameters: a path of literals.
    package init() {
        self.init(names: [])
    }

    /// The parameters of these names, which get their values one after the other.
    init(names: [String]) {
        self.names = names
    }

    /// Sets the value of the name at `index`, after those before it.
    mutating func append(_ value: String, at index: Int) {
        if index == 0 { first = value } else { others.append(value) }
    }

    /// The value of a parameter; nil for a name that the template does not have.
    package subscript(name: String) -> String? {
        names.firstIndex(of: name).map { $0 == 0 ? first : others[$0 - 1] }
    }

    /// The value of a parameter that the template has.
    ///
    /// - Precondition: the route's template names it; anything else is a slip of ours that its first request shows.
    package func require(_ name: String) -> String {
        guard let value = self[name] else { preconditionFailure("the template has no parameter {\(name)}") }
        return value
    }

    /// The value as a type that is made from text.
    ///
    /// - Throws: `Problem` 404 for text that the type does not know: the path of nothing.
    package func require<T: RawRepresentable<String>>(_ name: String, as type: T.Type) throws(Problem) -> T {
        try require(name, as: T.init(rawValue:))
    }

    /// The value as what `make` makes of its text, such as a validating initialiser.
    ///
    /// - Throws: `Problem` 404 for text that `make` answers nil to.
    package func require<T>(_ name: String, as make: (String) -> T?) throws(Problem) -> T {
        let text = require(name)
        guard let value = make(text) else { throw .noSuchParameter(name, text) }
        return value
    }
}
