import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/projection`: UIKit's deceleration, or the fling of another platform.
struct ProjectionAnswer {
    let bytes: [UInt8]

    /// The parameters of all models.
    private static let allNames = FlingAnswer.models.flatMap(\.names) + Self.names + ["model"]

    /// The parameters of the model `uikit`.
    private static let names = [
        "velocity", "decelerationRate", "position", "start", "time", "threshold", "distance", "targets", "cap",
    ]

    /// - Throws: `Problem` or `MotionError` for a parameter that is missing, malformed, unknown, contradictory or out
    ///   of range.
    init(_ target: Target) throws {
        if let model = try Query(target, allowing: Self.allNames).string("model"), model != "uikit" {
            bytes = try FlingAnswer(model, target).bytes
        } else {
            bytes = try Self.uikit(try Query(target, allowing: Self.names + ["model"]))
        }
    }

    private static func uikit(_ query: Query) throws -> [UInt8] {
        let deceleration = try deceleration(query)
        let start = try start(query)
        let velocity = try velocity(query, deceleration)
        let threshold = try query.double("threshold", in: 1e-9...1e9) ?? 0.5
        let time = try query.double("time", in: 0...1e6)
        let targets = try query.doubles("targets", in: -1e9...1e9, atMost: 64)
        let cap = try query.double("cap", in: 0...1e9)
        let wwdc = deceleration.wwdcDistance(velocity: velocity)
        let exact = deceleration.distance(velocity: velocity)
        let nearest = try targets.flatMap { targets in
            try NearestTarget.index(of: start + wwdc, in: targets).map { index in
                let relative = RelativeVelocity.of(velocity: velocity, from: start, to: targets[index], cap: cap)
                return (
                    index: index, target: targets[index], relative: try RelativeVelocity.checked(relative, "targets")
                )
            }
        }
        var json = JSONWriter()
        json.object { json in
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
            if let nearest {
                json.object("nearest") { json in
                    json.member("index", nearest.index)
                    json.member("target", nearest.target)
                    json.member("relativeVelocity", nearest.relative)
                }
            }
        }
        return json.bytes
    }

    /// Returns the deceleration rate: `normal`, `fast` or a number; `normal` by default.
    static func deceleration(_ query: Query) throws -> Deceleration {
        switch try query.string("decelerationRate") {
        case nil, "normal": return .normal
        case "fast": return .fast
        default: return try Deceleration(rate: query.requiredDouble("decelerationRate"))
        }
    }

    /// Returns the start of the motion: `start`, or `position`, its name in the article.
    static func start(_ query: Query) throws -> Double {
        if query.contains("position"), query.contains("start") {
            throw MotionError.contradiction(parameters: ["position", "start"])
        }
        return try query.double(query.contains("start") ? "start" : "position", in: -1e9...1e9) ?? 0
    }

    /// Returns the velocity, or the velocity that travels `distance`.
    private static func velocity(_ query: Query, _ deceleration: Deceleration) throws -> Double {
        guard query.contains("distance") else { return try query.requiredDouble("velocity", in: -1e9...1e9) }
        guard !query.contains("velocity") else {
            throw MotionError.contradiction(parameters: ["velocity", "distance"])
        }
        return deceleration.velocity(distance: try query.requiredDouble("distance", in: -1e9...1e9))
    }
}

/// The flings of other platforms: each has a name, parameters and members in the answer.
struct FlingAnswer {
    let bytes: [UInt8]

    /// The model of one platform.
    struct Model: Sendable {
        let name: String
        let names: [String]
        let write: @Sendable (Query, Double, inout JSONWriter) throws -> Void
    }

    /// All models.
    ///
    /// A new model is one entry.
    static let models: [Model] = [
        Model(name: "android.exponential", names: ["velocity", "friction"]) { query, velocity, json in
            let friction = try query.double("friction", in: 1e-6...1e6) ?? 1
            json.member("distance", AndroidFling.exponentialDistance(velocity: velocity, friction: friction))
        },
        Model(name: "android.spline", names: ["velocity", "density", "friction"]) { query, velocity, json in
            let fling = AndroidFling.Spline(
                velocity: velocity,
                density: try query.double("density", in: 0.01...100) ?? 1,
                friction: try query.double("friction", in: 1e-6...1e6) ?? 0.015
            )
            json.member("distance", fling.distance)
            json.member("durationMs", fling.durationMs)
        },
        Model(name: "motion.inertia", names: ["velocity", "start", "power", "timeConstant", "times"]) {
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
        Model(name: "flutter.friction", names: ["velocity", "start", "drag", "time"]) { query, velocity, json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let friction = try FlutterFriction(drag: try query.double("drag") ?? 0.135)
            json.member("target", friction.finalPosition(start: start, velocity: velocity))
            guard let time = try query.double("time", in: 0...1e6) else { return }
            let state = friction.state(at: time, start: start, velocity: velocity)
            json.member("position", state.position)
            json.member("velocity", state.velocity)
        },
        Model(name: "reactspring.decay", names: ["velocity", "start", "decay", "time"]) { query, velocity, json in
            let start = try query.double("start", in: -1e9...1e9) ?? 0
            let fling = try ReactSpringDecay(decay: try query.double("decay") ?? 0.998)
            json.member("distance", fling.distance(velocity: velocity))
            guard let time = try query.double("time", in: 0...1e6) else { return }
            json.member("position", fling.position(at: time, start: start, velocity: velocity))
        },
    ]

    /// - Throws: `Problem` or `MotionError` for an unknown model or invalid parameters.
    init(_ name: String, _ target: Target) throws {
        guard let model = Self.models.first(where: { $0.name == name }) else {
            let known = (["uikit"] + Self.models.map(\.name)).map { "`\($0)`" }.joined(separator: ", ")
            throw Problem.invalidParameter("model", "must be one of \(known)")
        }
        let query = try Query(target, allowing: model.names + ["model"])
        let velocity = try query.requiredDouble("velocity", in: -1e9...1e9)
        var json = JSONWriter()
        try json.object { json in
            json.member("model", name)
            try model.write(query, velocity, &json)
        }
        bytes = json.bytes
    }
}
