import JSON
import Motion

extension JSONWriter {
    /// Writes a number that a computation may have led beyond what a double holds: as null then.
    mutating func finite(_ name: String, _ value: Double?) {
        member(name, value.flatMap { $0.isFinite ? $0 : nil })
    }

    /// Writes all that names a spring, under `name`.
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

    /// Writes when a curve is at rest, by us and by every platform, as `settling`.
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

    /// Writes the values of a convention's parameters, under `name`.
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

    /// Writes what a platform silently does, as `warnings`; `distance` is how far its curve is off by it;
    /// null without a curve.
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
