import JSON
import Motion

extension JSONWriter {
    /// Writes a number, or null if the computation exceeded the range of a double.
    mutating func finite(_ name: String, _ value: Double?) {
        member(name, value.flatMap { $0.isFinite ? $0 : nil })
    }

    /// Writes all parameters of a spring as the object `name`.
    mutating func spring(_ name: String, _ spring: Spring) {
        object(name) { json in
            json.member("dampingRatio", spring.dampingRatio)
            json.member("response", spring.response)
            json.member("bounce", spring.bounce)
            json.finite("mass", spring.mass)
            json.finite("stiffness", spring.stiffness)
            json.finite("damping", spring.damping)
            json.member("naturalFrequency", spring.naturalFrequency)
            json.member("dampedFrequency", spring.dampedFrequency)
            json.member("regime", spring.regime.rawValue)
            json.finite("unitMassStiffness", spring.unitMassStiffness)
            json.finite("unitMassDamping", spring.unitMassDamping)
            json.finite("origamiTension", spring.origamiTension)
            json.finite("origamiFriction", spring.origamiFriction)
            json.member("motionVisualDuration", spring.motionVisualDuration)
            json.finite("motionDurationMs", spring.motionDurationMs)
        }
    }

    /// Writes the exact settling time and that of every platform as the object `settling`.
    mutating func settling(_ curve: SpringCurve, epsilon: Double) {
        let platforms = PlatformSettling(curve, epsilon: epsilon)
        object("settling") { json in
            json.finite("settlingTime", curve.settlingTime(epsilon: epsilon))
            json.finite("envelope", curve.envelopeTime(epsilon: epsilon))
            json.member("epsilon", epsilon)
            json.object("platforms") { json in
                json.finite("swiftui", platforms.swiftUI)
                json.finite("coreAnimation", platforms.coreAnimation)
                json.finite("motion50ms", platforms.motion)
                json.finite("flutter", platforms.flutter)
                json.finite("android", platforms.android)
                json.finite("compose", platforms.compose)
                json.finite("reactSpring", platforms.reactSpring)
                json.finite("reactNative", platforms.reactNative)
                json.finite("reanimated", platforms.reanimated)
            }
        }
    }

    /// Writes the values of a convention's parameters as the object `name`.
    mutating func parameters(_ name: String, _ parameters: [(name: String, value: ConventionValue)]) {
        object(name) { json in
            for parameter in parameters {
                switch parameter.value {
                case .number(let number): json.finite(parameter.name, number)
                case .flag(let flag): json.member(parameter.name, flag)
                }
            }
        }
    }

    /// Writes the silent changes of a platform as the array `warnings`.
    ///
    /// `distance` is their effect on the curve; null if there is no curve.
    mutating func warnings(_ warnings: [ConventionWarning], distance: Double?) {
        array("warnings") { json in
            for warning in warnings {
                json.object { json in
                    json.member("code", warning.rawValue)
                    json.member("detail", warning.detail)
                    json.finite("maxDistance", distance)
                }
            }
        }
    }
}
