import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/curve`: positions and velocities at given times or frames.
struct CurveAnswer: ObjectAnswer {
    static let names =
        SpringQuery.plainNames + ["time", "times", "fps", "curveDuration", "start", "target", "velocity"]
    /// The largest number of samples in an answer.
    static let limit = 2000

    private let spring: SpringQuery
    private let times: [Double]
    /// Whether the request has one `time`: the answer then contains numbers instead of lists.
    private let isSingle: Bool
    private let travel: Travel?

    /// A motion in points instead of shares of the travel.
    private struct Travel {
        let start: Double
        let target: Double
        let velocity: Double
    }

    init(_ query: Query) throws {
        spring = try SpringQuery(query)
        travel = try Self.travel(query)
        isSingle = query.contains("time")
        times = try Self.times(query, spring)
    }

    func write(_ json: inout JSONWriter) {
        let states = times.map { time in
            guard let travel else { return spring.curve.state(at: time) }
            return spring.curve.spring.state(
                at: time,
                start: travel.start,
                target: travel.target,
                velocity: travel.velocity
            )
        }
        let valueName = travel == nil ? "position" : "value"
        if isSingle {
            json.member("time", times[0])
            json.member(valueName, states[0].position)
            json.member("velocity", states[0].velocity)
        } else {
            json.numbers("times", times)
            json.numbers(valueName, states.map(\.position))
            json.numbers("velocity", states.map(\.velocity))
        }
    }

    private static func travel(_ query: Query) throws -> Travel? {
        guard query.contains("start") || query.contains("target") || query.contains("velocity") else { return nil }
        guard !query.contains("initialVelocity") else {
            throw Problem.invalidQuery("initialVelocity", "is not allowed with a travel in points; use `velocity`")
        }
        return Travel(
            start: try query.double("start", in: -1e9...1e9) ?? 0,
            target: try query.requiredDouble("target", in: -1e9...1e9),
            velocity: try query.double("velocity", in: -1e9...1e9) ?? 0
        )
    }

    private static func times(_ query: Query, _ spring: SpringQuery) throws -> [Double] {
        let given = ["time", "times", "fps"].filter(query.contains)
        guard given.count < 2 else { throw MotionError.contradiction(parameters: given) }
        if let time = try query.double("time", in: 0...1e6) { return [time] }
        if let times = try query.doubles("times", in: 0...1e6, atMost: limit) { return times }
        let rate = try query.double("fps", in: 1...1000) ?? 60
        // The lowest rate is one frame per second; a longer duration would exceed the limit.
        let end = try query.double("curveDuration", in: 0...Double(limit - 1))
        guard let duration = end ?? spring.curve.settlingTime(epsilon: spring.epsilon) else {
            throw Problem.invalidQuery("curveDuration", "is missing; the spring never settles")
        }
        guard duration * rate < Double(limit) else {
            throw Problem.invalidParameter("fps", "leads to more than \(limit) samples; lower it or `curveDuration`")
        }
        return SpringCurve.frameTimes(rate: rate, duration: duration, limit: limit)
    }
}

extension JSONWriter {
    /// Writes a list of finite numbers.
    mutating func numbers(_ name: String, _ numbers: [Double]) {
        array(name) { json in
            for number in numbers { json.value(number) }
        }
    }
}
