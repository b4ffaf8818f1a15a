import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/relative-velocity`: the velocity of a gesture in travels per second.
struct RelativeVelocityAnswer {
    let bytes: [UInt8]

    /// - Throws: `Problem` or `MotionError` for a parameter that is missing, malformed, unknown or out of range.
    init(_ target: Target) throws {
        let query = try Query(target, allowing: ["velocity", "current", "target", "cap"])
        let relative = RelativeVelocity.of(
            velocity: try query.requiredDouble("velocity", in: -1e9...1e9),
            from: try query.requiredDouble("current", in: -1e9...1e9),
            to: try query.requiredDouble("target", in: -1e9...1e9),
            cap: try query.double("cap", in: 0...1e9)
        )
        var json = JSONWriter()
        let checked = try RelativeVelocity.checked(relative, "target")
        json.object { $0.member("relativeVelocity", checked) }
        bytes = json.bytes
    }
}
