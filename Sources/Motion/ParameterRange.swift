/// The allowed numbers of a parameter: an interval with open or closed ends, never NaN or infinity.
package struct ParameterRange: Sendable, Equatable {
    package let lower: Double
    package let upper: Double
    /// Whether `lower` and `upper` themselves are allowed.
    package let includesLower: Bool
    package let includesUpper: Bool

    package init(_ range: ClosedRange<Double>) {
        self.init(lower: range.lowerBound, upper: range.upperBound, includesLower: true, includesUpper: true)
    }

    /// Creates the range above `lower` and up to `upper`.
    package init(above lower: Double, upTo upper: Double) {
        self.init(lower: lower, upper: upper, includesLower: false, includesUpper: true)
    }

    /// Creates the range above `lower` and below `upper`.
    package init(between lower: Double, and upper: Double) {
        self.init(lower: lower, upper: upper, includesLower: false, includesUpper: false)
    }

    private init(lower: Double, upper: Double, includesLower: Bool, includesUpper: Bool) {
        self.lower = lower
        self.upper = upper
        self.includesLower = includesLower
        self.includesUpper = includesUpper
    }

    /// Returns whether `value` is in the range; false for NaN.
    package func contains(_ value: Double) -> Bool {
        let isAbove = includesLower ? value >= lower : value > lower
        let isBelow = includesUpper ? value <= upper : value < upper
        return isAbove && isBelow && value.isFinite
    }

    /// Returns `value` if it is in the range.
    ///
    /// - Throws: `MotionError.outOfRange` with the name of the parameter.
    package func checked(_ value: Double, _ parameter: String) throws(MotionError) -> Double {
        guard contains(value) else {
            throw .outOfRange(parameter: parameter, value: value, allowed: self)
        }
        return value
    }

    /// Returns the number of a closed range that is nearest to `value`.
    func clamped(_ value: Double) -> Double {
        min(max(value, lower), upper)
    }

    /// Every finite number.
    package static let finite = ParameterRange(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    /// Every finite number above zero.
    package static let positive = ParameterRange(above: 0, upTo: .greatestFiniteMagnitude)
    /// Every finite number that is not negative.
    package static let notNegative = ParameterRange(0...Double.greatestFiniteMagnitude)
}

extension ParameterRange: CustomStringConvertible {
    /// The range as text, such as `above 0 and at most 60` or `from 0 to 100`.
    package var description: String {
        let least = includesLower ? "at least \(lower.brief)" : "above \(lower.brief)"
        let most = includesUpper ? "at most \(upper.brief)" : "below \(upper.brief)"
        switch (lower == -.greatestFiniteMagnitude, upper == .greatestFiniteMagnitude) {
        case (true, true): return "any finite number"
        case (true, false): return most
        case (false, true): return least
        case (false, false):
            return includesLower && includesUpper ? "from \(lower.brief) to \(upper.brief)" : "\(least) and \(most)"
        }
    }
}
