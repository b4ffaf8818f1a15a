import HTTPExchange
import Motion

struct SpringQuery {
    let convention: Convention
    let reading: ConventionReading
    let curve: SpringCurve
    /// The share of the travel within which the spring counts as settled.
    let epsilon: Double
    /// The names that the convention used, with the prefix.
    let names: [String]

    /// The parameters of a query for one spring; they are computed once because every such query is checked.
    static let plainNames = names(prefix: "")

    static func names(prefix: String) -> [String] {
        (["convention", "designToken", "initialVelocity", "epsilon"]
            + Conventions.parameterNames.filter { $0 != "epsilon" })
            .map { prefix + $0 }
    }

    /// Reads the parameters that begin with `prefix`.
    ///
    /// The names in `shared` belong to the convention if it has them, otherwise to the endpoint.
    ///
    /// - Throws: `Problem` for a parameter that is missing, malformed, unknown, contradictory or out of range.
    init(_ query: Query, prefix: String = "", shared: [String] = []) throws {
        do {
            let shared = shared + ["epsilon"]
            // In the order of the query, which errors follow.
            let present = query.names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
                .filter(Conventions.parameterNames.contains)
            convention = try Self.convention(query, prefix, present, shared)
            var given: [String: Double] = [:]
            var names: [String] = []
            for name in present where !shared.contains(name) || convention.hasParameter(name) {
                names.append(prefix + name)
                if Conventions.flagNames.contains(name) {
                    given[name] = try query.bool(prefix + name).map { $0 ? 1 : 0 }
                } else {
                    given[name] = try query.double(prefix + name)
                }
            }
            self.names = names
            reading = try convention.read(given)
            let velocity = try query.double(prefix + "initialVelocity", in: -1e6...1e6) ?? 0
            epsilon = try reading.epsilon ?? query.double(prefix + "epsilon", in: 1e-9...0.5) ?? 0.001
            curve = SpringCurve(reading.spring, initialVelocity: velocity)
            let ends = ["initialVelocity", "epsilon"].filter { query.contains(prefix + $0) }
            try SpringRange.check(curve, epsilon: epsilon, given: ends)
        } catch let error as MotionError {
            throw Problem(error, prefix: prefix)
        }
    }

    var settlingTime: Double? { curve.settlingTime(epsilon: epsilon) }

    var dampingName: String {
        let known = ["dampingRatio", "damping", "ratio", "bounce", "friction", "bounciness"]
        return names.first { name in known.contains { name.hasSuffix($0) } } ?? "dampingRatio"
    }

    /// Returns the named convention, or the one that the parameters determine, with names in `shared` only if needed.
    private static func convention(
        _ query: Query,
        _ prefix: String,
        _ present: [String],
        _ shared: [String]
    ) throws -> Convention {
        if let id = try query.string(prefix + "convention") { return try Conventions.named(id) }
        if let whole = try? Conventions.inferred(from: present), present.allSatisfy(whole.hasParameter) { return whole }
        return try Conventions.inferred(from: present.filter { !shared.contains($0) })
    }

    /// Reads several springs from one query, one for each prefix, in the order of the prefixes.
    ///
    /// - Throws: `Problem` with the first error of every spring, so that one request shows the errors of all.
    static func several(_ query: Query, prefixes: [String]) throws -> [SpringQuery] {
        var springs: [SpringQuery] = []
        var problems: [Problem] = []
        for prefix in prefixes {
            do {
                springs.append(try SpringQuery(query, prefix: prefix))
            } catch let problem as Problem {
                problems.append(problem)
            }
        }
        if let problem = Problem(joining: problems) { throw problem }
        return springs
    }
}

extension Travel {
    /// Reads `travel` and `property`; nil without both.
    ///
    /// - Throws: `Problem` for a number that is out of range, or an unknown property.
    init?(_ query: Query) throws {
        let amount = try query.double("travel", in: 1e-6...1e6)
        let property = try query.choice("property", of: Property.self)
        guard amount != nil || property != nil else { return nil }
        self.init(amount ?? 1, of: property ?? .position)
    }
}
