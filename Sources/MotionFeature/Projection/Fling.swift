import HTTPExchange
import JSON
import Motion

/// A model of `GET /v1/projection`: the deceleration of a platform, with its parameters and its members of the answer.
struct Fling: Sendable {
    let name: String
    let names: [String]
    let write: @Sendable (Query, inout JSONWriter) throws -> Void

    static let models: [Fling] = [
        uikit,
        Fling(name: "android.exponential", names: ["velocity", "friction"]) { query, json in
            let velocity = try query.requiredDouble("velocity", in: -1e9...1e9)
            let friction = try query.double("friction", in: 1e-6...1e6) ?? 1
            json.member("distance", PlatformFlings.androidExponential(velocity: velocity, friction: friction))
        },
        Fling(name: "android.spline", names: ["velocity", "density", "friction"]) { query, json in
            let fling = PlatformFlings.androidSpline(
                velocity: try query.requiredDouble("velocity", in: -1e9...1e9),
                density: try query.double("density", in: 0.01...100) ?? 1,
                friction: try query.double("friction", in: 1e-6...1e6) ?? 0.015
            )
            json.member("distance", fling.distance)
            json.member("durationMs", fling.durationMs)
        },
        Fling(name: "motion.inertia", names: ["velocity", "start", "power", "timeConstant", "times"]) { query, json in
            let velocity = try query.requiredDouble("velocity", in: -1e9...1e9)
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let power = try query.double("power", in: -1e3...1e3) ?? 0.8
            let timeConstant = try query.double("timeConstant", in: 1e-3...1e6) ?? 325
            let times = try query.doubles("times", in: 0...1e9, atMost: 2000) ?? []
            let positions = ([.infinity] + times).map { time in
                PlatformFlings.motionInertia(
                    atMs: time,
                    start: start,
                    velocity: velocity,
                    power: power,
                    timeConstantMs: timeConstant
                )
            }
            json.member("target", positions[0])
            json.numbers("positions", Array(positions.dropFirst()))
        },
        Fling(name: "flutter.friction", names: ["velocity", "start", "drag", "time"]) { query, json in
            let velocity = try query.requiredDouble("velocity", in: -1e9...1e9)
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
        Fling(name: "reactspring.decay", names: ["velocity", "start", "decay", "time"]) { query, json in
            let velocity = try query.requiredDouble("velocity", in: -1e9...1e9)
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

    /// UIKit's deceleration, the default.
    private static let uikit = Fling(
        name: "uikit",
        names: ["velocity", "decelerationRate", "position", "start", "time", "threshold", "distance", "targets", "cap"]
    ) { query, json in
        let deceleration: Deceleration =
            switch try query.string("decelerationRate") {
            case nil, "normal": .normal
            case "fast": .fast
            default: try Deceleration(rate: query.requiredDouble("decelerationRate"))
            }
        for pair in [["position", "start"], ["velocity", "distance"]] where pair.allSatisfy(query.contains) {
            throw MotionError.contradiction(parameters: pair)
        }
        // `position` is the name in the article.
        let start = try query.double(query.contains("start") ? "start" : "position", in: -1e9...1e9) ?? 0
        let velocity =
            query.contains("distance")
            ? deceleration.velocity(distance: try query.requiredDouble("distance", in: -1e9...1e9))
            : try query.requiredDouble("velocity", in: -1e9...1e9)
        let threshold = try query.double("threshold", in: 1e-9...1e9) ?? 0.5
        let time = try query.double("time", in: 0...1e6)
        let targets = try query.doubles("targets", in: -1e9...1e9, atMost: 64)
        let cap = try query.double("cap", in: 0...1e9)
        let wwdc = deceleration.wwdcDistance(velocity: velocity)
        let exact = deceleration.distance(velocity: velocity)
        json.member("decelerationRate", deceleration.rate)
        json.member("initialVelocity", velocity)
        json.member("wwdc", wwdc)
        json.member("exact", exact)
        json.object("end") { json in
            json.member("wwdc", start + wwdc)
            json.member("exact", start + exact)
        }
        json.member("threshold", threshold)
        json.member("restTime", deceleration.restTime(velocity: velocity, threshold: threshold))
        if let time {
            let state = deceleration.state(at: time, start: start, velocity: velocity)
            json.member("time", time)
            json.member("position", state.position)
            json.member("velocity", state.velocity)
        }
        if let targets, let index = NearestTarget.index(of: start + wwdc, in: targets) {
            let relative = RelativeVelocity.of(velocity: velocity, from: start, to: targets[index], cap: cap)
            try json.object("nearest") { json in
                json.member("index", index)
                json.member("target", targets[index])
                json.member("relativeVelocity", try RelativeVelocity.checked(relative, "targets"))
            }
        }
    }
}
