/// The allowed numbers of a parameter: an interval with open or closed ends, never NaN or infinity.
public struct ParameterRange: Sendable, Equatable {
    /// The lower end.
    public let lower: Double
    /// The upper end.
    public let upper: Double
    /// Whether `lower` itself is allowed.
    public let includesLower: Bool
    /// Whether `upper` itself is allowed.
    public let includesUpper: Bool
}

extension ParameterRange {
    /// Creates the range of a closed interval.
    public init(_ range: ClosedRange<Double>) {
        self.init(lower: range.lowerBound, upper: range.upperBound, includesLower: true, includesUpper: true)
    }

    /// Creates the range above `lower` and up to `upper`.
    public init(above lower: Double, upTo upper: Double) {
        self.init(lower: lower, upper: upper, includesLower: false, includesUpper: true)
    }

    /// Creates the range above `lower` and below `upper`.
    public init(between lower: Double, and upper: Double) {
        self.init(lower: lower, upper: upper, includesLower: false, includesUpper: false)
    }

    /// Returns whether `value` is in the range; false for NaN.
    public func contains(_ value: Double) -> Bool {
        let isAbove = includesLower ? value >= lower : value > lower
        let isBelow = includesUpper ? value <= upper : value < upper
        return isAbove && isBelow && value.isFinite
    }

    /// Returns `value` if it is in the range, or throws `MotionError.outOfRange` with the name of the parameter.
    public func checked(_ value: Double, _ parameter: String) throws(MotionError) -> Double {
        guard contains(value) else { throw .outOfRange(parameter: parameter, value: value, allowed: self) }
        return value
    }

    package func clamped(_ value: Double) -> Double { min(max(value, lower), upper) }

    /// Every finite number.
    public static let finite = ParameterRange(-Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    /// Every finite number above zero.
    public static let positive = ParameterRange(above: 0, upTo: .greatestFiniteMagnitude)
    /// Every finite number that is not negative.
    public static let notNegative = ParameterRange(0...Double.greatestFiniteMagnitude)
}

extension ParameterRange: CustomStringConvertible {
    /// The range as text, such as `above 0 and at most 60` or `from 0 to 100`.
    public var description: String {
        let least = includesLower ? "at least \(lower.brief)" : "above \(lower.brief)"
        let most = includesUpper ? "at most \(upper.brief)" : "below \(upper.brief)"
        if upper == .greatestFiniteMagnitude { return lower == -upper ? "any finite number" : least }
        return includesLower && includesUpper ? "from \(lower.brief) to \(upper.brief)" : "\(least) and \(most)"
    }
}
