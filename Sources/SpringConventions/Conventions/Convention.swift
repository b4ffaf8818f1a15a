package import Motion

/// A way to describe a spring: the parameters of one platform's initialiser and their meaning.
///
/// A list of parameters that are quantities of the spring is enough. Others need a `reader` and a `writer`.
package struct Convention: Sendable {
    /// The parameters of a spring in the order of the convention.
    package typealias Values = [(name: String, value: Double)]
    /// The curve that a platform draws, nil if it is unknown or none, and the changes that it makes silently.
    typealias Drawing = (curve: DrawnCurve?, warnings: [ConventionWarning])

    /// The stable name in requests and answers, such as `swiftui.durationBounce`.
    package let id: String
    package var aliases: [String] = []
    package let title: String
    package let source: String
    package let parameters: [ConventionParameter]
    /// Whether a request without a convention, but with exactly these parameters, uses this one.
    package var isInferred = false
    /// The mass of a platform without a parameter for it.
    var mass = 1.0
    /// Whether the mass is written as 1, although it is a parameter.
    var isUnitMass = false
    /// The highest stiffness at a mass of 1 that the platform finds for a duration.
    var stiffest = Double.infinity
    /// Returns ω t at the duration of the convention, for a ratio and a threshold; nil if the threshold is never reached.
    var phase: @Sendable (_ ratio: Double, _ epsilon: Double) -> Double? = { _, _ in nil }
    var reader: (@Sendable (Values) throws(MotionError) -> ConventionReading)?
    /// Returns the platform's parameters for a spring, or the nearest possible ones and the reasons.
    var writer: (@Sendable (Spring) -> (values: Values, warnings: [ConventionWarning]))?
    /// Returns what the platform draws for a curve that its parameters describe, at so many frames per second.
    var drawing: @Sendable (SpringCurve, Double) -> Drawing = { curve, _ in (DrawnCurve(curve), []) }
    /// Returns code to paste for a curve and its parameters.
    let snippet: @Sendable (SpringCurve, Values) -> String
}

extension Convention {
    /// Returns the platform's parameters for a curve, or the nearest possible ones, and the curve that it draws.
    ///
    /// `framesPerSecond` is above 0; a platform that takes whole steps in each frame draws another curve at each rate.
    package func write(
        _ curve: SpringCurve,
        framesPerSecond: Double = 60,
        clampsOvershoot: Bool = false
    ) -> ConventionWriting {
        let (values, changes) =
            writer?(curve.spring) ?? quantities(of: curve.spring, clampsOvershoot: clampsOvershoot)
        let read = changes.isEmpty ? curve.spring : try? reading(values).spring
        let meant = read.map { SpringCurve($0, initialVelocity: curve.initialVelocity) }
        var (drawn, warnings) = meant.map { drawing($0, framesPerSecond) } ?? (nil, [])
        if clampsOvershoot, parameters.contains(where: { $0.quantity == .clampsOvershoot }), drawn?.clamp() == true {
            warnings.append(.overshootClamped)
        }
        return ConventionWriting(
            parameters: values,
            snippet: snippet(curve, values),
            meant: meant,
            drawn: drawn,
            changes: changes,
            drawingChanges: warnings
        )
    }

    private func reading(_ values: Values) throws(MotionError) -> ConventionReading {
        if let reader { return try reader(values) }
        return try ConventionReading(values, of: self)
    }

    /// Returns the spring that the platform creates from `given`, with the changes that it makes silently.
    package func read(_ given: [String: Double]) throws(MotionError) -> ConventionReading {
        let reading = try readUnchecked(given)
        if let fault = SpringRange.fault(of: SpringCurve(reading.spring), epsilon: 0.001) {
            throw .springOutOfRange(fault, names(of: fault, given))
        }
        return reading
    }

    private func readUnchecked(_ given: [String: Double]) throws(MotionError) -> ConventionReading {
        let values = try checked(given)
        do {
            return try reading(values)
        } catch .outOfRange(let parameter, _, _) where !hasParameter(parameter) {
            // The name belongs to an intermediate quantity, which the request does not contain.
            throw .springOutOfRange(.frequency(.infinity), numbers(in: given))
        }
    }

    /// Returns the parameters of a request with the defaults, each in its range.
    private func checked(_ given: [String: Double]) throws(MotionError) -> Values {
        for name in given.keys.sorted() where !hasParameter(name) {
            throw .unknownParameter(name, convention: id, known: parameters.map(\.name))
        }
        var values: Values = []
        var findings: [SpringRange.Finding] = []
        for parameter in parameters {
            let names = parameter.names.filter { given[$0] != nil }
            guard names.count < 2 else { throw .contradiction(parameters: names) }
            // Errors use the name from the request.
            let name = names.first ?? parameter.name
            guard let value = given[name] ?? parameter.fallback else { throw .missingParameter(name, convention: id) }
            guard parameter.domain.contains(value) else {
                throw .outOfRange(parameter: name, value: value, allowed: parameter.range)
            }
            values.append((parameter.name, value))
            if !parameter.range.contains(value) {
                findings.append(.init(parameter: name, reason: "must be \(parameter.range)"))
            }
        }
        guard findings.isEmpty else { throw .springOutOfRange(findings) }
        return values
    }

    /// Returns the names of the numbers in a request that affect the settling time, or if changed the frequency.
    private func names(of fault: SpringRange.Fault, _ given: [String: Double]) -> [String] {
        let names = numbers(in: given)
        guard case .frequency(let frequency) = fault else { return names }
        let shaping = names.filter { name in
            let number = given[name] ?? 0
            return [number / 2, number * 2, number + 1].contains { other in
                let reading = try? readUnchecked(given.merging([name: other]) { $1 })
                return reading?.spring.naturalFrequency ?? frequency != frequency
            }
        }
        return shaping.isEmpty ? names : shaping
    }

    private func numbers(in given: [String: Double]) -> [String] {
        parameters.filter { !$0.isFlag && $0.name != "epsilon" }.flatMap { $0.names.filter { given[$0] != nil } }
    }

    package func hasParameter(_ name: String) -> Bool { parameters.contains { $0.names.contains(name) } }

    /// Returns whether `names` are known and include every parameter that shapes a spring, also those with defaults.
    func matches(_ names: [String]) -> Bool {
        names.allSatisfy(hasParameter)
            && parameters.allSatisfy { $0.isIncidental || $0.names.contains(where: names.contains) }
    }
}
