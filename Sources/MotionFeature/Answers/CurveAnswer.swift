import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/curve`: positions and velocities at given times or frames.
struct CurveAnswer: ObjectAnswer {
    static let names =
        SpringQuery.plainNames + ["time", "times", "fps", "curveDuration", "start", "target", "velocity"]
    static let limit = 2000

    private let spring: SpringQuery
    private let times: [Double]
    /// Whether the request has one `time`: the answer then contains numbers instead of lists.
    private let isSingle: Bool
    /// A motion in points instead of shares of the travel.
    private let travel: (start: Double, target: Double, velocity: Double)?

    init(_ query: Query) throws {
        spring = try SpringQuery(query)
        if ["start", "target", "velocity"].contains(where: query.contains) {
            guard !query.contains("initialVelocity") else {
                throw Problem.invalidQuery("initialVelocity", "is not allowed with a travel in points; use `velocity`")
            }
            travel = (
                start: try query.double("start", in: -1e9...1e9) ?? 0,
                target: try query.requiredDouble("target", in: -1e9...1e9),
                velocity: try query.double("velocity", in: -1e9...1e9) ?? 0
            )
        } else {
            travel = nil
        }
        isSingle = query.contains("time")
        times = try Self.times(query, spring)
    }

    func write(_ json: inout JSONWriter) {
        let states = times.map { time in
            guard let (start, target, velocity) = travel else { return spring.curve.state(at: time) }
            return spring.curve.spring.state(at: time, start: start, target: target, velocity: velocity)
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
