import JSON
import Motion

extension JSONWriter {
    /// Returns an object with the members that `write` writes.
    static func object(_ write: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        try json.object { json in try write(&json) }
        return json.bytes
    }

    /// Writes a number, or null if the computation exceeded the range of a double.
    mutating func finite(_ name: String, _ value: Double?) {
        member(name, value.flatMap { $0.isFinite ? $0 : nil })
    }

    /// Writes the parameters of a convention; null for one that exceeds the range of a double.
    mutating func parameters(_ values: Convention.Values) {
        object("parameters") { json in
            for (name, value) in values {
                json.key(name)
                if Conventions.flagNames.contains(name) {
                    json.value(value == 1)
                } else {
                    json.value(value.isFinite ? value : nil)
                }
            }
        }
    }

    /// Writes an array of finite numbers.
    mutating func numbers(_ name: StaticString, _ numbers: [Double]) {
        array(name) { json in
            for number in numbers { json.value(number) }
        }
    }

    mutating func texts(_ name: StaticString, _ texts: [String]) {
        array(name) { json in
            for text in texts { json.value(text) }
        }
    }

    /// Writes an array with an object for each element.
    mutating func objects<Element>(
        _ name: StaticString,
        _ elements: some Sequence<Element>,
        _ write: (inout JSONWriter, Element) -> Void
    ) {
        array(name) { json in
            for element in elements { json.object { write(&$0, element) } }
        }
    }

    /// Writes all parameters of a spring as the object `name`.
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

    /// Writes the exact settling time and that of every platform as the object `settling`.
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
