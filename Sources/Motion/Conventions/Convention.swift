/// A way to name a spring: the parameters of one platform's initialiser, and what they mean.
///
/// A convention is data plus two functions, `read` from its parameters to a spring and `write` from a curve to its
/// parameters. A new one is one small file, and one line in `Conventions.all`.
package struct Convention: Sendable {
    /// The stable name in requests and answers, such as `swiftui.durationBounce`.
    package let id: String
    /// Other names that requests may use.
    package let aliases: [String]
    /// The platform's own name for it.
    package let title: String
    /// Where its meaning was read.
    package let source: String
    /// Its parameters in the order in which they are written.
    package let parameters: [ConventionParameter]
    /// Whether a request with exactly these parameters means this convention when it names none.
    ///
    /// Where two conventions share their parameters' names but not their meaning, neither is inferred.
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

    /// The spring that the platform means by `given`, with what it silently changes.
    ///
    /// - Throws: `MotionError` for a missing, unknown or contradictory parameter, one of the wrong kind or out of its
    ///   range, and for allowed ones that together mean no spring, or one out of `SpringRange`.
    package func read(_ given: [String: ConventionValue]) throws(MotionError) -> ConventionReading {
        let reading = try readUnchecked(given)
        if let fault = SpringRange.fault(of: SpringCurve(reading.spring), epsilon: 0.001) {
            throw .springOutOfRange(fault, names(of: fault, given))
        }
        return reading
    }

    /// What the platform means by `given`, wherever that is.
    private func readUnchecked(_ given: [String: ConventionValue]) throws(MotionError) -> ConventionReading {
        let values = try ConventionValues(given, of: self)
        do {
            return try reader(values)
        } catch .outOfRange(let parameter, _, _) where !hasParameter(parameter) {
            // A quantity on the way from the parameters to the spring, under a name that the request does not have.
            throw .springOutOfRange(.frequency(.infinity), numbers(in: given))
        }
    }

    /// The names in a request of the numbers that lead to a fault.
    ///
    /// All of them shape the settling time. The ratio of most conventions does not shape the frequency: whether a
    /// parameter does is found out by changing it.
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

    /// The names in a request of its numbers, in the order of the parameters.
    private func numbers(in given: [String: ConventionValue]) -> [String] {
        parameters.flatMap { parameter in
            given.keys.filter { parameter.isNamed($0) && parameter.isNumber && parameter.name != "epsilon" }
        }
    }

    /// How the platform says `curve`, as nearly as it can.
    package func write(_ curve: SpringCurve) -> ConventionWriting {
        writer(curve)
    }

    /// Returns whether a parameter has this name or alias.
    package func hasParameter(_ name: String) -> Bool {
        parameters.contains { $0.isNamed(name) }
    }

    /// Whether `names` say all that shapes a spring of this convention, and nothing that it does not know.
    ///
    /// A default is for who has named the convention: without its name only mass, epsilon and flags may be missing.
    func matches(_ names: [String]) -> Bool {
        names.allSatisfy(hasParameter)
            && parameters.allSatisfy { parameter in
                parameter.isIncidental || names.contains { parameter.isNamed($0) }
            }
    }
}
