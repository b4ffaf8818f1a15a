import JSON
import Motion

/// The range of the numbers of a gesture: points, points per second, radians.
let gestureRange = -1e9...1e9

/// The largest number of events or samples in a request.
let gestureLimit = 2000

extension JSONObject {
    func number(_ name: StaticString) throws(JSONError) -> Double { try required(name).double(in: gestureRange) }

    func events(_ name: StaticString) throws(JSONError) -> [JSONValue] {
        let value = try required(name)
        let array = try value.array()
        guard 1...gestureLimit ~= array.count else {
            throw value.error("must have 1 to \(gestureLimit) elements, had \(array.count)")
        }
        return array
    }

    func drawer() throws -> MomentumDrawer {
        try MomentumDrawer(
            closedTranslationY: try number("closedTranslationY"),
            isOpen: try required("isOpen").bool(),
            isReversed: try optional("isReversed")?.bool() ?? false
        )
    }

    /// Returns the deceleration rate: `normal`, `fast` or a number; `fallback` by default.
    func deceleration(default fallback: Deceleration) throws -> Deceleration {
        guard let value = optional("decelerationRate") else { return fallback }
        if value.isText("normal") { return .normal }
        if value.isText("fast") { return .fast }
        return try Deceleration(rate: value.double())
    }
}

extension JSONValue {
    func vector() throws(JSONError) -> PictureInPicture.Vector {
        let pair = try array()
        guard pair.count == 2 else { throw error("must be two numbers, x and y") }
        return PictureInPicture.Vector(x: try pair[0].double(in: gestureRange), y: try pair[1].double(in: gestureRange))
    }
}

extension JSONWriter {
    /// Writes the spring that answers a gesture; `velocity` writes its relative initial velocity.
    mutating func gestureSpring(_ spring: Spring, _ velocity: (inout JSONWriter) -> Void) {
        object("spring") { json in
            json.member("dampingRatio", spring.dampingRatio)
            json.member("response", spring.response)
            json.member("mass", spring.mass)
            json.member("stiffness", spring.stiffness)
            json.member("damping", spring.damping)
            velocity(&json)
        }
    }
}
