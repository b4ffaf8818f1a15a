/// The springs that the service accepts: the one place that states their range.
///
/// Within it every formula of this module keeps its digits, every search ends after a bounded number of steps, and
/// every display has room. A spring beyond it is refused at the door (`Convention.read`, `SpringRange.check`).
package enum SpringRange {
    /// Natural frequencies in radians per second.
    package static let frequencies = ParameterRange(1e-4...1e5)
    /// The same range as responses, in seconds: 63 µs to 17 h.
    package static let responses = ParameterRange(2 * Double.pi / 1e5...2 * Double.pi / 1e-4)
    /// Seconds within which a spring settles unless it is undamped.
    package static let settlingTimes = ParameterRange(0...1e6)

    /// What puts a spring out of the range.
    package enum Fault: Sendable, Equatable {
        /// The natural frequency in radians per second, which is not in `frequencies`.
        case frequency(Double)
        /// The settling time in seconds, which is not in `settlingTimes`; infinite if it is beyond a double.
        case settling(Double)
    }

    /// Returns why a curve is out of the range; nil for one that is in it.
    ///
    /// `epsilon` is the share of the travel within which the curve counts as settled.
    package static func fault(of curve: SpringCurve, epsilon: Double) -> Fault? {
        let spring = curve.spring
        guard isAllowed(frequency: spring.naturalFrequency), spring.dampingRatio.isFinite else {
            return .frequency(spring.naturalFrequency)
        }
        guard spring.regime != .undamped else { return nil }
        let time = curve.settlingTime(epsilon: epsilon) ?? .infinity
        return settlingTimes.contains(time) ? nil : .settling(time)
    }

    /// Whether a frequency is in the range, give or take the rounding of the conversion that it comes from.
    private static func isAllowed(frequency: Double) -> Bool {
        let rounding = 1e-12
        return frequency >= frequencies.lower * (1 - rounding) && frequency <= frequencies.upper * (1 + rounding)
    }

    /// A parameter that leads out of the range, and why.
    package struct Finding: Sendable, Equatable {
        /// The name in the request.
        package let parameter: String
        /// The end of a sentence that begins with the parameter, such as "must be from 0.001 to 60".
        package let reason: String

        package init(parameter: String, reason: String) {
            self.parameter = parameter
            self.reason = reason
        }
    }
}

extension SpringRange.Fault {
    /// The end of a sentence that begins with a parameter.
    var reason: String {
        switch self {
        case .frequency(let frequency):
            """
            must lead to a natural frequency from 1e-4 to 1e5 rad/s (a response from 63 µs to 17 h), not \
            \(frequency.isFinite ? "\(frequency.rough) rad/s" : "beyond the range of a double")
            """
        case .settling(let time):
            """
            must lead to a spring that settles within 1e6 s or is undamped, not \
            \(time.isFinite ? "after \(time.rough) s" : "beyond the range of a double")
            """
        }
    }
}

extension MotionError {
    /// The same fault for several parameters.
    static func springOutOfRange(_ fault: SpringRange.Fault, _ parameters: [String]) -> MotionError {
        .springOutOfRange(parameters.map { SpringRange.Finding(parameter: $0, reason: fault.reason) })
    }
}

extension SpringRange {
    /// Checks a curve whose spring is in the range: a velocity or a small `epsilon` may still lead out of it.
    ///
    /// `given` are the names in the request of what makes the curve out of the spring: the initial velocity and the
    /// epsilon, if they are there.
    ///
    /// - Throws: `MotionError.springOutOfRange` under those names.
    package static func check(_ curve: SpringCurve, epsilon: Double, given: [String]) throws(MotionError) {
        guard let fault = fault(of: curve, epsilon: epsilon) else { return }
        throw .springOutOfRange(fault, given)
    }
}
