package import HTTPExchange
package import Motion

extension Problem {
    /// Words what the motion part refuses: 400 for a query that makes no sense, 422 for a number out of its range.
    package init(_ error: MotionError) {
        self.init(error) { .parameter($0) }
    }

    /// Words the same about a member of the content: 422, with the pointer that `place` makes of its name.
    init(_ error: MotionError, inContentAt place: (String) -> String) {
        self.init(error) { .pointer(place($0)) }
        code = Problem.Kind.invalidContent.code
        status = Problem.Kind.invalidContent.status
        title = Problem.Kind.invalidContent.title
    }

    private init(_ error: MotionError, at place: (String) -> Place) {
        switch error {
        case .outOfRange(let parameter, _, let allowed):
            self.init(.invalidParameter, faults: [Fault(place(parameter), "has to be \(allowed)")])
        case .wrongKind(let parameter, let expected):
            self.init(.invalidParameter, faults: [Fault(place(parameter), "has to be \(expected)")])
        case .noSpring(let parameter, let reason), .noCurve(let parameter, let reason):
            self.init(.invalidParameter, faults: [Fault(place(parameter), reason)])
        case .missingParameter(let name, let convention):
            self.init(.invalidQuery, faults: [Fault(place(name), "is missing; `\(convention)` needs it")])
        case .unknownParameter(let name, let convention, let known):
            let detail = "is unknown to `\(convention)`, which has \(Self.list(known))"
            self.init(.invalidQuery, faults: [Fault(place(name), detail)])
        case .unknownConvention(_, let known):
            self.init(.invalidParameter, faults: [Fault(place("convention"), "has to be one of \(Self.list(known))")])
        case .ambiguousConvention(let parameters, let candidates):
            let detail =
                "is missing, and \(Self.list(parameters)) means different springs in \(Self.list(candidates)): name one"
            self.init(.invalidQuery, faults: [Fault(place("convention"), detail)])
        case .noConvention(let parameters):
            let detail = "does not go together with the others: no convention has \(Self.list(parameters))"
            self.init(.invalidQuery, faults: parameters.map { Fault(place($0), detail) })
        case .contradiction(let parameters):
            let detail = "says the same as another parameter: \(Self.list(parameters))"
            self.init(.invalidQuery, faults: parameters.map { Fault(place($0), detail) })
        }
    }

    private init(_ kind: Kind, faults: [Fault]) {
        let sentences = faults.map { fault in
            switch fault.place {
            case .parameter(let name), .pointer(let name), .field(let name): "`\(name)` \(fault.detail)"
            }
        }
        self.init(kind, sentences.joined(separator: "; ") + ".", errors: faults)
    }

    private static func list(_ names: [String]) -> String {
        names.map { "`\($0)`" }.joined(separator: ", ")
    }
}
