/// A way to describe a spring: the parameters of one platform's initialiser and their meaning.
///
/// If the parameters are quantities of the spring, such as its stiffness, a list of them is enough. Otherwise `reader`
/// converts parameters to a spring, and `write` converts a curve to parameters.
package struct Convention: Sendable {
    /// The stable name in requests and answers, such as `swiftui.durationBounce`.
    package let id: String
    package var aliases: [String] = []
    package let title: String
    package let source: String
    /// The parameters in the order in which they are written.
    package let parameters: [ConventionParameter]
    /// Whether a request without a convention, but with exactly these parameters, uses this one.
    package var isInferred = false
    let reader: @Sendable (ConventionValues) throws(MotionError) -> ConventionReading
    /// Returns the platform's parameters for a curve, or the nearest possible ones.
    package let write: @Sendable (SpringCurve) -> ConventionWriting
}

extension Convention {
    /// A curve that a platform draws, nil if no spring has it, and the changes that it makes silently.
    typealias Drawing = (curve: SpringCurve?, warnings: [ConventionWarning])

    /// Creates a convention whose parameters are quantities of the spring, with what it draws and its code to paste.
    ///
    /// `snippet` gets the parameters as members in code, such as `stiffness: 100, damping: 10`, without flags.
    init(
        id: String,
        title: String,
        source: String,
        parameters: [ConventionParameter],
        isInferred: Bool = false,
        drawing: @escaping @Sendable (SpringCurve) -> Drawing = { ($0, []) },
        snippet: @escaping @Sendable (SpringCurve, _ members: String) -> String
    ) {
        self.init(
            id: id,
            title: title,
            source: source,
            parameters: parameters,
            isInferred: isInferred,
            reader: { values throws(MotionError) in try values.spring(of: parameters) },
            write: { curve in
                let (drawn, warnings) = drawing(curve)
                let values = curve.spring.values(of: parameters)
                let members = zip(parameters, values).filter { !$0.0.isFlag }.map(\.1).members
                return ConventionWriting(
                    parameters: values,
                    snippet: snippet(curve, members),
                    drawn: drawn,
                    warnings: warnings
                )
            }
        )
    }

    /// Returns the spring that the platform creates from `given`, with the changes that it makes silently.
    package func read(_ given: [String: Double]) throws(MotionError) -> ConventionReading {
        let reading = try readUnchecked(given)
        if let fault = SpringRange.fault(of: SpringCurve(reading.spring), epsilon: 0.001) {
            throw .springOutOfRange(fault, names(of: fault, given))
        }
        return reading
    }

    /// Returns the spring that the platform creates from `given`, even if it is out of `SpringRange`.
    private func readUnchecked(_ given: [String: Double]) throws(MotionError) -> ConventionReading {
        let values = try ConventionValues(given, of: self)
        do {
            return try reader(values)
        } catch .outOfRange(let parameter, _, _) where !hasParameter(parameter) {
            // The name belongs to an intermediate quantity, which the request does not contain.
            throw .springOutOfRange(.frequency(.infinity), numbers(in: given))
        }
    }

    /// Returns the names of the numbers in a request that cause a fault.
    ///
    /// All of them affect the settling time. Changing a number shows whether it affects the frequency.
    private func names(of fault: SpringRange.Fault, _ given: [String: Double]) -> [String] {
        let names = numbers(in: given)
        guard case .frequency(let frequency) = fault else { return names }
        let shaping = names.filter { name in
            guard let number = given[name] else { return false }
            return [number / 2, number * 2, number + 1].contains { other in
                guard let reading = try? readUnchecked(given.merging([name: other]) { $1 }) else { return false }
                return reading.spring.naturalFrequency != frequency
            }
        }
        return shaping.isEmpty ? names : shaping
    }

    /// Returns the names of the numbers in a request, in the order of the parameters.
    private func numbers(in given: [String: Double]) -> [String] {
        parameters.filter { !$0.isFlag && $0.name != "epsilon" }.flatMap { $0.names.filter { given[$0] != nil } }
    }

    package func hasParameter(_ name: String) -> Bool { parameters.contains { $0.names.contains(name) } }

    /// Returns whether `names` are known and include every parameter that shapes a spring of this convention.
    ///
    /// Defaults apply only if the request names the convention.
    func matches(_ names: [String]) -> Bool {
        names.allSatisfy(hasParameter)
            && parameters.allSatisfy { parameter in
                parameter.isIncidental || parameter.names.contains(where: names.contains)
            }
    }
}
