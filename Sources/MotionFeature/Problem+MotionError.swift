package import HTTPExchange
import HTTPTypes
package import Motion

extension Problem {
    /// Converts a `MotionError` about a query: 400 for contradictory or missing parameters, 422 for forbidden values.
    ///
    /// `prefix` is that of the names in the query, for one of several springs.
    package init(_ error: MotionError, prefix: String = "") {
        self.init(error, prefix: prefix, at: Location.parameter)
    }

    /// Converts a `MotionError` about content to 422.
    init(inContent error: MotionError) {
        self.init(error, prefix: "/", at: Location.pointer)
        kind = .invalidContent
    }

    private init(_ error: MotionError, prefix: String, at location: (String) -> Location) {
        func list(_ names: [String]) -> String { Self.list(names.map { prefix + $0 }) }
        let (kind, faults): (Kind, [(name: String, detail: String)])
        // By default, a sentence for each fault.
        var detail: String?
        switch error {
        case .outOfRange(let name, _, let allowed): (kind, faults) = (.invalidParameter, [(name, "must be \(allowed)")])
        case .wrongKind(let name, let expected): (kind, faults) = (.invalidParameter, [(name, "must be \(expected)")])
        case .noSpring(let name, let reason), .noCurve(let name, let reason), .noNumber(let name, let reason):
            (kind, faults) = (.invalidParameter, [(name, reason)])
        case .springOutOfRange(let findings):
            (kind, faults) = (.springOutOfRange, findings.map { ($0.parameter, $0.reason) })
            if let reason = findings.first?.reason, findings.allSatisfy({ $0.reason == reason }) {
                detail = "\(list(findings.map(\.parameter))) \(reason)."
            }
        case .missingParameter(let name, let convention):
            (kind, faults) = (.invalidQuery, [(name, "is missing; `\(convention)` requires it")])
        case .unknownParameter(let name, let convention, let names):
            let rule = "is not a parameter of `\(convention)`; its parameters are \(list(names))"
            (kind, faults) = (.invalidQuery, [(name, rule)])
        case .unknownConvention(_, let names, let name):
            let ids = names.map { "`\($0)`" }.joined(separator: ", ")
            (kind, faults) = (.invalidParameter, [(name, "must be one of \(ids)")])
        case .ambiguousConvention(let parameters, let candidates, let name):
            let mean = parameters.count == 1 ? "means" : "mean"
            let rule = "is missing: \(list(parameters)) \(mean) different springs in \(Self.list(candidates)); name one"
            (kind, faults) = (.invalidQuery, [(name, rule)])
        case .noConvention(let parameters, let name):
            let rule = "is not allowed with the others; no convention has all of them"
            (kind, faults) = (.invalidQuery, parameters.map { ($0, rule) })
            let advice = "name one in `\(prefix)\(name)` to see its parameters"
            detail = "No convention has \(list(parameters)) together; \(advice)."
        case .contradiction(let parameters):
            let rules = parameters.map { name in
                (name, "is not allowed with \(list(parameters.filter { $0 != name })); give one of them")
            }
            (kind, faults) = (.invalidQuery, rules)
            detail = "\(list(parameters)) are not allowed together; give one of them."
        }
        let sentences = faults.map { "`\(prefix)\($0.name)` \($0.detail)" }.joined(separator: "; ")
        let errors = faults.map { Fault(location(prefix + $0.name), $0.detail) }
        self.init(kind, detail ?? sentences + ".", errors: errors)
    }

    private static func list(_ names: [String]) -> String {
        let quoted = names.map { "`\($0)`" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
        return quoted.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension Problem.Kind {
    /// Parameters of a spring that is too fast, too slow or settles too late.
    package static let springOutOfRange = Problem.Kind(
        "spring-out-of-range",
        .unprocessableContent,
        "The spring is too fast, too slow, or takes too long to settle.",
        explanation: """
            A spring is accepted when its natural frequency is from 1e-4 to 1e5 rad/s, which is a response from 63 µs to \
            17 h, and when it settles within 1e6 s or is undamped. `errors` lists the parameters that lead out of this \
            range, in any convention, and the allowed values.
            """
    )

    /// The response to requests while the queue of the worker is full.
    package static let busy = Problem.Kind(
        "busy",
        .serviceUnavailable,
        "Too many heavy computations are waiting.",
        explanation: """
            The first computation of a `linear()`, a plot or a comparison takes a while. The service computes one at a \
            time and queues the others; if the queue is full, it refuses further ones, so that other requests stay fast. \
            Retry after `Retry-After` seconds.
            """
    )

    package static let motion = [busy, springOutOfRange]
}
