import HTTPExchange
import JSON
import Motion

/// The model `uikit` of `GET /v1/projection`: UIKit's deceleration.
enum Projection {
    static let names = [
        "velocity", "decelerationRate", "position", "start", "time", "threshold", "distance", "targets", "cap",
    ]

    static func write(_ query: Query, _ json: inout JSONWriter) throws {
        let deceleration = try deceleration(query)
        let start = try start(query)
        let velocity = try velocity(query, deceleration)
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

    /// Returns the deceleration rate: `normal`, `fast` or a number; `normal` by default.
    private static func deceleration(_ query: Query) throws -> Deceleration {
        switch try query.string("decelerationRate") {
        case nil, "normal": return .normal
        case "fast": return .fast
        default: return try Deceleration(rate: query.requiredDouble("decelerationRate"))
        }
    }

    /// Returns the start of the motion: `start`, or `position`, its name in the article.
    private static func start(_ query: Query) throws -> Double {
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
