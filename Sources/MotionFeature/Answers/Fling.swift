import HTTPExchange
import JSON
import Motion

/// The fling of another platform: a model of `GET /v1/projection`, with its parameters and its members in the answer.
struct Fling: Sendable {
    let name: String
    let names: [String]
    let write: @Sendable (Query, Double, inout JSONWriter) throws -> Void

    /// All models.
    ///
    /// A new model is one entry.
    static let models: [Fling] = [
        Fling(name: "android.exponential", names: ["velocity", "friction"]) { query, velocity, json in
            let friction = try query.double("friction", in: 1e-6...1e6) ?? 1
            json.member("distance", AndroidFling.exponentialDistance(velocity: velocity, friction: friction))
        },
        Fling(name: "android.spline", names: ["velocity", "density", "friction"]) { query, velocity, json in
            let fling = AndroidFling.Spline(
                velocity: velocity,
                density: try query.double("density", in: 0.01...100) ?? 1,
                friction: try query.double("friction", in: 1e-6...1e6) ?? 0.015
            )
            json.member("distance", fling.distance)
            json.member("durationMs", fling.durationMs)
        },
        Fling(name: "motion.inertia", names: ["velocity", "start", "power", "timeConstant", "times"]) {
            query,
            velocity,
            json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let inertia = MotionInertia(
                power: try query.double("power", in: -1e3...1e3) ?? 0.8,
                timeConstantMs: try query.double("timeConstant", in: 1e-3...1e6) ?? 325
            )
            let times = try query.doubles("times", in: 0...1e9, atMost: 2000) ?? []
            json.member("target", inertia.target(start: start, velocity: velocity))
            json.array("positions") { json in
                for time in times { json.value(inertia.position(atMs: time, start: start, velocity: velocity)) }
            }
        },
        Fling(name: "flutter.friction", names: ["velocity", "start", "drag", "time"]) { query, velocity, json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let friction = try FlutterFriction(drag: try query.double("drag") ?? 0.135)
            json.member("target", friction.finalPosition(start: start, velocity: velocity))
            guard let time = try query.double("time", in: 0...1e6) else { return }
            let state = friction.state(at: time, start: start, velocity: velocity)
            json.member("position", state.position)
            json.member("velocity", state.velocity)
        },
        Fling(name: "reactspring.decay", names: ["velocity", "start", "decay", "time"]) { query, velocity, json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let fling = try ReactSpringDecay(decay: try query.double("decay") ?? 0.998)
            json.member("distance", fling.distance(velocity: velocity))
            guard let time = try query.double("time", in: 0...1e6) else { return }
            json.member("position", fling.position(at: time, start: start, velocity: velocity))
        },
    ]
}
