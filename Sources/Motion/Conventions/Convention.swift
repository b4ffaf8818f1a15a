/// A way to describe a spring: the parameters of one platform's initialiser and their meaning.
///
/// If the parameters are quantities of the spring, such as its stiffness, a list of them is enough. Otherwise `read` converts
/// parameters to a spring, and `write` converts a curve to parameters. A new convention is one static property and one
/// line in `Conventions.all`.
package struct Convention: Sendable {
    /// The stable name in requests and answers, such as `swiftui.durationBounce`.
    package let id: String
    /// Alternative names in requests.
    package let aliases: [String]
    /// The name that the platform uses.
    package let title: String
    /// The source of the definition.
    package let source: String
    /// The parameters in the order in which they are written.
    package let parameters: [ConventionParameter]
    /// Whether a request without a convention, but with exactly these parameters, uses this one.
    ///
    /// If conventions have the same parameter names with different meanings, none of them is inferred.
    package let isInferred: Bool
    private let reader: @Sendable (ConventionValues) throws(MotionError) -> ConventionReading
    private let writer: @Sendable (SpringCurve) -> ConventionWriting

    init(
        id: String,
        aliases: [String] = [],
        title: String,
        source: String,
        parameters: [ConventionParameter],
        isInferred: Bool = false,
        read: @escaping @Sendable (ConventionValues) throws(MotionError) -> ConventionReading,
        write: @escaping @Sendable (SpringCurve) -> ConventionWriting
    ) {
        self.id = id
        self.aliases = aliases
        self.title = title
        self.source = source
        self.parameters = parameters
        self.isInferred = isInferred
        reader = read
        writer = write
    }

    /// A curve that a platform draws, nil if no spring has it, and the changes that it makes silently.
    typealias Drawing = (curve: SpringCurve?, warnings: [ConventionWarning])

    /// Creates a convention from a list of the spring's quantities: each parameter names its `SpringQuantity`.
    ///
    /// `snippet` returns the code to paste, and `drawing` the curve that the platform draws.
    init(
        id: String,
        title: String,
        source: String,
        parameters: [ConventionParameter],
        isInferred: Bool = false,
        drawing: @escaping @Sendable (SpringCurve) -> Drawing = { ($0, []) },
        snippet: @escaping @Sendable (SpringCurve) -> String
    ) {
        self.init(
            id: id,
            title: title,
            source: source,
            parameters: parameters,
            isInferred: isInferred,
            read: { values throws(MotionError) in ConventionReading(try values.spring(of: parameters)) },
            write: { curve in
                let (drawn, warnings) = drawing(curve)
                let values = curve.spring.values(of: parameters)
                return ConventionWriting(values, snippet: snippet(curve), drawn: drawn, warnings: warnings)
            }
        )
    }

    /// Returns the spring that the platform creates from `given`, with the changes that it makes silently.
    ///
    /// - Throws: `MotionError` for a parameter that is missing, unknown, contradictory, of the wrong kind or out of its
    ///   range. Also if the parameters together describe no spring, or one out of `SpringRange`.
    package func read(_ given: [String: ConventionValue]) throws(MotionError) -> ConventionReading {
        let reading = try readUnchecked(given)
        if let fault = SpringRange.fault(of: SpringCurve(reading.spring), epsilon: 0.001) {
            throw .springOutOfRange(fault, names(of: fault, given))
        }
        return reading
    }

    /// Returns the spring that the platform creates from `given`, even if it is out of `SpringRange`.
    private func readUnchecked(_ given: [String: ConventionValue]) throws(MotionError) -> ConventionReading {
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
    /// All of them affect the settling time. In most conventions the ratio does not affect the frequency. Changing a
    /// number shows whether it does.
    private func names(of fault: SpringRange.Fault, _ given: [String: ConventionValue]) -> [String] {
        let names = numbers(in: given)
        guard case .frequency(let frequency) = fault else { return names }
        let shaping = names.filter { name in
            guard case .number(let number)? = given[name] else { return false }
            return [number / 2, number * 2, number + 1].contains { other in
                guard let reading = try? readUnchecked(given.merging([name: .number(other)]) { $1 }) else {
                    return false
                }
                return reading.spring.naturalFrequency != frequency
            }
        }
        return shaping.isEmpty ? names : shaping
    }

    /// Returns the names of the numbers in a request, in the order of the parameters.
    private func numbers(in given: [String: ConventionValue]) -> [String] {
        parameters.flatMap { parameter in
            given.keys.filter { parameter.isNamed($0) && parameter.isNumber && parameter.name != "epsilon" }
        }
    }

    /// Returns the platform's parameters for `curve`, or the nearest possible ones.
    package func write(_ curve: SpringCurve) -> ConventionWriting {
        writer(curve)
    }

    /// Returns whether a parameter has this name or alias.
    package func hasParameter(_ name: String) -> Bool {
        parameters.contains { $0.isNamed(name) }
    }

    /// Returns whether `names` are known and include every parameter that shapes a spring of this convention.
    ///
    /// Defaults apply only if the request names the convention. Without its name only mass, epsilon and flags may be
    /// missing.
    func matches(_ names: [String]) -> Bool {
        names.allSatisfy(hasParameter)
            && parameters.allSatisfy { parameter in
                parameter.isIncidental || names.contains { parameter.isNamed($0) }
            }
    }
}
