import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/retarget`: an animation that is interrupted and continues to another target.
///
/// The new spring is the same, or that of the parameters with the prefix `b.`.
struct RetargetAnswer: ObjectAnswer {
    static let names =
        SpringQuery.plainNames
        + ["start", "target", "velocity", "time", "newTarget", "cap", "maxError", "runningDuration"]
        + SpringQuery.names(prefix: "b.")

    /// The largest relative velocity in travels per second: beyond it, the distance is below the position's precision.
    private static let fastest = 1e15

    /// The largest number of steps of the easing's search, so that the answer takes at most 100 ms.
    private static let work = 60_000_000

    private let retargeting: Retargeting
    private let epsilon: Double
    private let maxError: Double
    private let runningDuration: Double?

    init(_ query: Query) throws {
        let spring = try SpringQuery(query)
        if query.contains("initialVelocity") {
            throw Problem.invalidQuery("initialVelocity", "is not allowed; use `velocity`, in points per second")
        }
        let other = query.names.contains { $0.hasPrefix("b.") } ? try SpringQuery(query, prefix: "b.") : spring
        retargeting = Retargeting(
            spring.curve.spring,
            start: try query.double("start", in: -1e9...1e9) ?? 0,
            target: try query.requiredDouble("target", in: -1e9...1e9),
            velocity: try query.double("velocity", in: -1e9...1e9) ?? 0,
            time: try query.requiredDouble("time", in: 0...1e6),
            newTarget: try query.requiredDouble("newTarget", in: -1e9...1e9),
            next: other.curve.spring,
            cap: try query.double("cap", in: 0...1e6)
        )
        _ = try RelativeVelocity.checked(retargeting.relativeVelocity, upTo: Self.fastest, "newTarget")
        epsilon = other.epsilon
        maxError = try LinearFit.errors.checked(query.double("maxError") ?? LinearAnswer.maxError, "maxError")
        runningDuration = try query.double("runningDuration", in: 0.001...1e6)
    }

    func write(_ json: inout JSONWriter) {
        let curve = retargeting.curve
        // A spring that never settles has no easing, and neither has one with an excessive velocity.
        let fit = abs(curve.initialVelocity) <= 1e6 ? try? LinearFit(curve, maxError: maxError, work: Self.work) : nil
        json.member("value", retargeting.value)
        json.member("velocity", retargeting.velocity)
        json.member("initialVelocity", curve.initialVelocity)
        json.spring("spring", curve.spring)
        json.settling(curve, epsilon: epsilon)
        json.finite("overshoot", curve.overshoot)
        if let runningDuration {
            json.finite("durationFactor", curve.spring.durationFactor(runningDuration: runningDuration))
        }
        json.linear(fit.map { SpringStyle($0, of: curve) })
    }
}
