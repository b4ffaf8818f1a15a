/// The parameters of a convention, all there, each in its range.
package struct ConventionValues: Sendable {
    private var entries: [(name: String, value: ConventionValue)] = []

    /// Checks what a request gave and fills in the defaults.
    ///
    /// - Throws: `MotionError`, among them `springOutOfRange` for all numbers that no spring in the range has.
    init(_ given: [String: ConventionValue], of convention: Convention) throws(MotionError) {
        for name in given.keys.sorted() where !convention.parameters.contains(where: { $0.answers(to: name) }) {
            let known = convention.parameters.map(\.name)
            throw .unknownParameter(name, convention: convention.id, known: known)
        }
        var findings: [SpringRange.Finding] = []
        for parameter in convention.parameters {
            let names = ([parameter.name] + parameter.aliases).filter { given[$0] != nil }
            guard names.count < 2 else { throw .contradiction(parameters: names) }
            let value = try parameter.value(in: given, convention: convention.id)
            entries.append((parameter.name, value))
            if case (.number(let range, _), .number(let number)) = (parameter.kind, value), !range.contains(number) {
                findings.append(.init(parameter: names.first ?? parameter.name, reason: "must be \(range)"))
            }
        }
        guard findings.isEmpty else { throw .springOutOfRange(findings) }
    }

    /// The number of a parameter that the convention declares as one.
    subscript(name: String) -> Double {
        guard case .number(let number)? = value(name) else { preconditionFailure("\(name) is no number") }
        return number
    }

    /// The flag of a parameter that the convention declares as one.
    func flag(_ name: String) -> Bool {
        guard case .flag(let flag)? = value(name) else { preconditionFailure("\(name) is no flag") }
        return flag
    }

    private func value(_ name: String) -> ConventionValue? {
        entries.first { $0.name == name }?.value
    }
}
