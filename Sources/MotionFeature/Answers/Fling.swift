import HTTPExchange
import JSON
import Motion

/// The fling of another platform: a model of `GET /v1/projection`, with its parameters and its members of the answer.
struct Fling: Sendable {
    let name: String
    let names: [String]
    let write: @Sendable (Query, Double, inout JSONWriter) throws -> Void

    static let models: [Fling] = [
        Fling(name: "android.exponential", names: ["velocity", "friction"]) { query, velocity, json in
            let friction = try query.double("friction", in: 1e-6...1e6) ?? 1
            json.member("distance", PlatformFlings.androidExponential(velocity: velocity, friction: friction))
        },
        Fling(name: "android.spline", names: ["velocity", "density", "friction"]) { query, velocity, json in
            let fling = PlatformFlings.androidSpline(
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
            let power = try query.double("power", in: -1e3...1e3) ?? 0.8
            let timeConstant = try query.double("timeConstant", in: 1e-3...1e6) ?? 325
            let times = try query.doubles("times", in: 0...1e9, atMost: 2000) ?? []
            func position(_ time: Double) -> Double {
                PlatformFlings.motionInertia(
                    atMs: time,
                    start: start,
                    velocity: velocity,
                    power: power,
                    timeConstantMs: timeConstant
                )
            }
            json.member("target", position(.infinity))
            json.numbers("positions", times.map(position))
        },
        Fling(name: "flutter.friction", names: ["velocity", "start", "drag", "time"]) { query, velocity, json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let drag = try share.checked(query.double("drag") ?? 0.135, "drag")
            func state(_ time: Double) -> SpringCurve.State {
                PlatformFlings.flutterFriction(at: time, start: start, velocity: velocity, drag: drag)
            }
            json.member("target", state(.infinity).position)
            guard let time = try query.double("time", in: 0...1e6) else { return }
            json.member("position", state(time).position)
            json.member("velocity", state(time).velocity)
        },
        Fling(name: "reactspring.decay", names: ["velocity", "start", "decay", "time"]) { query, velocity, json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let decay = try share.checked(query.double("decay") ?? 0.998, "decay")
            func distance(_ time: Double) -> Double {
                PlatformFlings.reactSpringDecay(at: time, velocity: velocity, decay: decay)
            }
            json.member("distance", distance(.infinity))
            guard let time = try query.double("time", in: 0...1e6) else { return }
            json.member("position", start + distance(time))
        },
    ]

    private static let share = ParameterRange(between: 0, and: 1)
}
