/// The range of springs that the service accepts: formulas keep their precision, and searches have bounded steps.
public enum SpringRange {
    /// Natural frequencies in radians per second.
    package static let frequencies = ParameterRange(1e-4...1e5)
    /// The same range as responses, in seconds: 63 µs to 17 h.
    package static let responses = ParameterRange(2 * Double.pi / 1e5...2 * Double.pi / 1e-4)
    /// Allowed settling times in seconds; undamped springs have none.
    package static let settlingTimes = ParameterRange(0...1e6)

    package enum Fault: Sendable, Equatable {
        /// The natural frequency in radians per second, which is not in `frequencies`.
        case frequency(Double)
        /// The settling time in seconds, which is not in `settlingTimes`; infinite if it exceeds a double.
        case settling(Double)
    }

    /// Returns the reason that a curve, which settles within a share of `epsilon`, is out of range; nil if it is not.
    package static func fault(of curve: SpringCurve, epsilon: Double) -> Fault? {
        let frequency = curve.spring.naturalFrequency
        // For the rounding of conversions.
        let tolerance = 1e-12
        guard frequency >= frequencies.lower * (1 - tolerance), frequency <= frequencies.upper * (1 + tolerance),
            curve.spring.dampingRatio.isFinite
        else { return .frequency(frequency) }
        guard curve.spring.regime != .undamped else { return nil }
        let time = curve.settlingTime(epsilon: epsilon) ?? .infinity
        return settlingTimes.contains(time) ? nil : .settling(time)
    }

    /// A parameter that leads out of the range, with the reason.
    public struct Finding: Sendable, Equatable {
        /// The name in the request.
        public let parameter: String
        /// The end of a sentence that begins with the parameter, such as "must be from 0.001 to 60".
        public let reason: String

        package init(parameter: String, reason: String) {
            (self.parameter, self.reason) = (parameter, reason)
        }
    }
}

extension SpringRange.Fault {
    package var reason: String {
        let beyond = "beyond the range of a double"
        return switch self {
        case .frequency(let frequency):
            "must lead to a natural frequency from 1e-4 to 1e5 rad/s (a response from 63 µs to 17 h), not "
                + (frequency.isFinite ? "\(frequency.rough) rad/s" : beyond)
        case .settling(let time):
            "must lead to a spring that settles within 1e6 s or is undamped, not "
                + (time.isFinite ? "after \(time.rough) s" : beyond)
        }
    }
}

extension MotionError {
    /// Returns the same fault for several parameters.
    package static func springOutOfRange(_ fault: SpringRange.Fault, _ parameters: [String]) -> MotionError {
        .springOutOfRange(parameters.map { SpringRange.Finding(parameter: $0, reason: fault.reason) })
    }
}
