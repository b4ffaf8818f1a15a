import JSON
import Motion

/// `POST /v1/gestures/pip`: a fling in, the corner it is meant for and the spring to it out.
enum PictureInPictureExchange {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("center", "velocity", "corners", "decelerationRate")
        let corners = try content.required("corners")
        let list = try corners.array()
        guard list.count <= 64 else { throw corners.error("must have at most 64 elements, had \(list.count)") }
        let picture = PictureInPicture(
            center: try content.required("center").vector(),
            velocity: try content.required("velocity").vector(),
            corners: try list.map { try $0.vector() },
            deceleration: try content.deceleration(default: .normal)
        )
        for relative in [picture.relativeVelocity.x, picture.relativeVelocity.y] {
            _ = try RelativeVelocity.checked(relative, "corners")
        }
        json.object { json in
            json.vector("projected", picture.projected)
            json.vector("corner", picture.corner)
            json.vector("relativeVelocity", picture.relativeVelocity)
            json.gestureSpring(PictureInPicture.spring, initialVelocity: picture.relativeVelocity)
        }
    }
}
