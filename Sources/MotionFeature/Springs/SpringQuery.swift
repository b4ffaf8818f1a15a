import HTTPExchange
import Motion
import SpringConventions

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
        let shared = ["convention", "designToken", "initialVelocity", "epsilon"]
        return (shared + Conventions.parameterNames.filter { $0 != "epsilon" }).map { prefix + $0 }
    }

    /// Reads the parameters that begin with `prefix`.
    ///
    /// The names in `shared` belong to the convention if it has them, otherwise to the endpoint.
    init(_ query: Query, prefix: String = "", shared: [String] = []) throws {
        do {
            let shared = shared + ["epsilon"]
            // In the order of the query, which errors follow.
            let sent = query.names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
                .filter(Conventions.parameterNames.contains)
            let convention: Convention
            if let id = try query.string(prefix + "convention") {
                convention = try Conventions.named(id)
            } else if let whole = try? Conventions.inferred(from: sent), sent.allSatisfy(whole.hasParameter) {
                convention = whole
            } else {
                convention = try Conventions.inferred(from: sent.filter { !shared.contains($0) })
            }
            let own = sent.filter { !shared.contains($0) || convention.hasParameter($0) }
            var values: [String: Double] = [:]
            for name in own {
                let isFlag = Conventions.flagNames.contains(name)
                values[name] = try isFlag ? query.bool(prefix + name).map { $0 ? 1 : 0 } : query.double(prefix + name)
            }
            (self.convention, names) = (convention, own.map { prefix + $0 })
            reading = try convention.read(values)
            let velocity = try query.double(prefix + "initialVelocity", in: -1e6...1e6) ?? 0
            epsilon = try reading.epsilon ?? query.double(prefix + "epsilon", in: 1e-12...0.5) ?? 0.001
            curve = SpringCurve(reading.spring, initialVelocity: velocity)
            if let fault = SpringRange.fault(of: curve, epsilon: epsilon) {
                let causes = ["initialVelocity", "epsilon"].filter { query.contains(prefix + $0) }
                throw MotionError.springOutOfRange(fault, causes)
            }
        } catch let error as MotionError {
            throw Problem(error, prefix: prefix)
        }
    }

    var settlingTime: Double? { curve.settlingTime(epsilon: epsilon) }

    var dampingName: String {
        let ratios = ["dampingRatio", "damping", "ratio", "bounce", "friction", "bounciness"]
        return names.first { name in ratios.contains { name.hasSuffix($0) } } ?? "dampingRatio"
    }

    /// Reads a spring for each prefix, or throws a `Problem` with the first error of each, so that a request shows all.
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

extension Query {
    /// Returns `travel` and `property`; nil without both.
    func travel() throws -> PlatformSettling.Travel? {
        let amount = try double("travel", in: 1e-6...1e6)
        let property = try choice("property", of: PlatformSettling.Property.self)
        return amount == nil && property == nil ? nil : (amount ?? 1, property ?? .position)
    }
}
