import JSON
import Motion

/// `POST /v1/gestures/rotation`: a twist in, the quarter turn it is meant for and the spring to it out.
enum RotationExchange {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("rotation", "velocity", "decelerationRate", "clamp", "originalRotation")
        let snap = RotationSnap(
            rotation: try content.required("rotation").double(in: gestureRange),
            velocity: try content.required("velocity").double(in: gestureRange),
            deceleration: try content.deceleration(default: .fast),
            isClamped: try content.optional("clamp")?.bool() ?? true
        )
        _ = try RelativeVelocity.checked(snap.relativeVelocity, "rotation")
        // The rotation that the view had before the gesture, to which the quarter turn is added.
        let original = try content.optional("originalRotation")?.double(in: gestureRange) ?? 0
        json.object { json in
            json.member("projected", snap.projected)
            json.member("angle", snap.angle)
            json.member("finalRotation", original + snap.angle)
            json.member("relativeVelocity", snap.relativeVelocity)
            json.gestureSpring(RotationSnap.spring, initialVelocity: .init(x: snap.relativeVelocity, y: 0))
        }
    }
}
