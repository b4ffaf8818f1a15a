import JSON
import Motion
import SpringConventions

extension JSONWriter {
    /// Writes a number, or null if the computation exceeded the range of a double.
    mutating func finite(_ name: String, _ value: Double?) { member(name, value?.finite) }

    /// Writes the parameters of a convention; null for one that exceeds the range of a double.
    mutating func parameters(_ values: Convention.Values) {
        object("parameters") { json in
            for (name, value) in values {
                json.key(name)
                if Conventions.flagNames.contains(name) { json.value(value == 1) } else { json.value(value.finite) }
            }
        }
    }

    mutating func spring(_ name: StaticString, _ spring: Spring) {
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

    mutating func settling(_ settling: PlatformSettling) {
        object("settling") { json in
            json.finite("settlingTime", settling.curve.settlingTime(epsilon: settling.epsilon))
            json.finite("envelope", settling.curve.envelopeTime(epsilon: settling.epsilon))
            json.member("epsilon", settling.epsilon)
            json.object("platforms") { json in
                for (name, time) in settling.times { json.finite(name, time) }
            }
        }
    }
}

extension Double {
    fileprivate var finite: Double? { isFinite ? self : nil }
}
