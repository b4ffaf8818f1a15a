import Glibc
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
        Fling(name: "android.exponential", names: ["velocity", "friction", "threshold", "times"]) { query, json in
            let fling = PlatformFling.androidExponential(
                velocity: try query.requiredPoints("velocity"),
                friction: try query.double("friction", in: 1e-6...1e6) ?? 1,
                threshold: try query.double("threshold", in: 1e-9...1e9) ?? 0.1
            )
            try json.fling(fling, query)
        },
        Fling(name: "android.spline", names: ["velocity", "density", "friction", "times"]) { query, json in
            let fling = PlatformFling.androidSpline(
                velocity: try query.requiredPoints("velocity"),
                density: try query.double("density", in: 0.01...100) ?? 1,
                friction: try query.double("friction", in: 1e-6...1e6) ?? 0.015
            )
            try json.fling(fling, query)
        },
        // motion-dom, inertia.ts: it approaches `start + power · velocity`, with the defaults at first 2.46 times as fast as
        // the finger. The remaining distance falls to 1/e in the time constant.
        Fling(name: "motion.inertia", names: ["velocity", "start", "power", "timeConstant", "times"]) { query, json in
            let (velocity, start) = (try query.requiredPoints("velocity"), try query.points("start"))
            let power = try query.double("power", in: -1e3...1e3) ?? 0.8
            let timeConstant = try query.double("timeConstant", in: 1e-3...1e6) ?? 325
            let times = [.infinity] + (try query.times() ?? [])
            let positions = times.map { start - power * velocity * expm1(-$0 / timeConstant) }
            json.member("target", positions[0])
            json.member("positions", Array(positions.dropFirst()))
        },
        // physics/friction_simulation.dart; `drag` is the share of the velocity that remains after a second.
        Fling(name: "flutter.friction", names: ["velocity", "start", "drag", "time"]) { query, json in
            let (velocity, start) = (try query.requiredPoints("velocity"), try query.points("start"))
            let logarithm = log(try share.checked(query.double("drag") ?? 0.135, "drag"))
            try json.states(query) {
                Deceleration.state(at: $0, start: start, velocity: velocity, logarithm: logarithm)
            }
        },
        Fling(name: "flutter.clamping", names: ["velocity", "friction", "times"]) { query, json in
            let velocity = try query.requiredPoints("velocity")
            let friction = try query.double("friction", in: 1e-6...1e6) ?? 0.015
            try json.fling(.flutterClamping(velocity: velocity, friction: friction), query)
        },
        Fling(
            name: "flutter.bouncing",
            names: ["velocity", "start", "leadingExtent", "trailingExtent", "time", "times"]
        ) { query, json in
            let (velocity, start) = (try query.requiredPoints("velocity"), try query.points("start"))
            let (leading, trailing) = (try query.points("leadingExtent"), try query.requiredPoints("trailingExtent"))
            guard leading <= trailing else {
                throw Problem.invalidParameter("trailingExtent", "must be at least `leadingExtent`")
            }
            func state(_ time: Double) -> SpringCurve.State {
                Deceleration.flutterBouncing(at: time, start: start, velocity: velocity, extent: leading...trailing)
            }
            try json.states(query, state)
            if let times = try query.times() { json.member("positions", times.map { state($0 / 1000).position }) }
        },
        Fling(name: "reactspring.decay", names: ["velocity", "start", "decay", "time"]) { query, json in
            let (velocity, start) = (try query.requiredPoints("velocity"), try query.points("start"))
            // SpringValue.ts: an exponential with a rate of 1 - decay in a millisecond.
            let rate = 1000 * (1 - (try share.checked(query.double("decay") ?? 0.998, "decay")))
            func distance(_ time: Double) -> Double { -velocity / rate * expm1(-rate * time) }
            json.member("distance", distance(.infinity))
            guard let time = try query.time() else { return }
            json.member("position", start + distance(time))
        },
    ]

    private static let share = ParameterRange(between: 0, and: 1)

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
        let start = try query.points(query.contains("start") ? "start" : "position")
        let velocity =
            query.contains("distance")
            ? deceleration.velocity(distance: try query.requiredPoints("distance"))
            : try query.requiredPoints("velocity")
        let threshold = try query.double("threshold", in: 1e-9...1e9) ?? 0.5
        let time = try query.time()
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

extension Query {
    /// Returns a number of points or of points per second; 0 by default.
    func points(_ name: String) throws -> Double { try double(name, in: -1e9...1e9) ?? 0 }
    func requiredPoints(_ name: String) throws -> Double { try requiredDouble(name, in: -1e9...1e9) }
    fileprivate func time() throws -> Double? { try double("time", in: 0...1e6) }
    fileprivate func times() throws -> [Double]? { try doubles("times", in: 0...1e9, atMost: 2000) }
}

extension JSONWriter {
    /// Writes a fling that ends, and its positions at the `times` of a query.
    fileprivate mutating func fling(_ fling: PlatformFling, _ query: Query) throws {
        member("distance", fling.distance)
        member("durationMs", fling.durationMs)
        if let times = try query.times() { member("positions", times.map(fling.position)) }
    }

    /// Writes the end of a motion, and its state at the `time` of a query.
    fileprivate mutating func states(_ query: Query, _ state: (Double) -> SpringCurve.State) throws {
        member("target", state(.infinity).position)
        guard let time = try query.time() else { return }
        member("position", state(time).position)
        member("velocity", state(time).velocity)
    }
}
