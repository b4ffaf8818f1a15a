package import HTTPExchange
import HTTPTypes
package import Motion

extension Problem {
    /// Converts a `MotionError` about a query: 400 for contradictory or incomplete parameters, 422 for values out of
    /// range.
    ///
    /// `prefix` is that of the names in the query, for one of several springs.
    package init(_ error: MotionError, prefix: String = "") {
        self.init(error, prefix: prefix) { .parameter(prefix + $0) }
    }

    /// Converts a `MotionError` about content to 422.
    init(inContent error: MotionError) {
        self.init(error, prefix: "") { .pointer("/\($0)") }
        kind = .invalidContent
    }

    private init(_ error: MotionError, prefix: String, at location: (String) -> Location) {
        func list(_ names: [String]) -> String { Self.list(names.map { prefix + $0 }) }
        switch error {
        case .outOfRange(let parameter, _, let allowed):
            self.init(.invalidParameter, faults: [Fault(location(parameter), "must be \(allowed)")])
        case .wrongKind(let parameter, let expected):
            self.init(.invalidParameter, faults: [Fault(location(parameter), "must be \(expected)")])
        case .noSpring(let parameter, let reason), .noCurve(let parameter, let reason),
            .noNumber(let parameter, let reason):
            self.init(.invalidParameter, faults: [Fault(location(parameter), reason)])
        case .springOutOfRange(let findings):
            let faults = findings.map { Fault(location($0.parameter), $0.reason) }
            if let reason = findings.first?.reason, findings.allSatisfy({ $0.reason == reason }) {
                self.init(.springOutOfRange, "\(list(findings.map(\.parameter))) \(reason).", errors: faults)
            } else {
                self.init(.springOutOfRange, faults: faults)
            }
        case .missingParameter(let name, let convention):
            self.init(.invalidQuery, faults: [Fault(location(name), "is missing; `\(convention)` requires it")])
        case .unknownParameter(let name, let convention, let known):
            let detail = "is not a parameter of `\(convention)`; its parameters are \(list(known))"
            self.init(.invalidQuery, faults: [Fault(location(name), detail)])
        case .unknownConvention(_, let known, let name):
            let ids = known.map { "`\($0)`" }.joined(separator: ", ")
            self.init(.invalidParameter, faults: [Fault(location(name), "must be one of \(ids)")])
        case .ambiguousConvention(let parameters, let candidates, let name):
            let mean = parameters.count == 1 ? "means" : "mean"
            let detail =
                "is missing: \(list(parameters)) \(mean) different springs in \(Self.list(candidates)); name one"
            self.init(.invalidQuery, faults: [Fault(location(name), detail)])
        case .noConvention(let parameters, let name):
            let detail = "is not allowed with the others; no convention has all of them"
            let advice = "name one in `\(prefix)\(name)` to see its parameters"
            self.init(
                .invalidQuery,
                "No convention has \(list(parameters)) together; \(advice).",
                errors: parameters.map { Fault(location($0), detail) }
            )
        case .contradiction(let parameters):
            let faults = parameters.map { name in
                let others = list(parameters.filter { $0 != name })
                return Fault(location(name), "is not allowed with \(others); give one of them")
            }
            let detail = "\(list(parameters)) are not allowed together; give one of them."
            self.init(.invalidQuery, detail, errors: faults)
        }
    }

    private init(_ kind: Kind, faults: [Fault]) {
        let sentences = faults.map { fault in
            switch fault.location {
            case .parameter(let name), .pointer(let name), .field(let name): "`\(name)` \(fault.detail)"
            }
        }
        self.init(kind, sentences.joined(separator: "; ") + ".", errors: faults)
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
