package import HTTPExchange
import JSON
import Motion
import SpringConventions

extension MotionHandlers {
    /// `GET /v1/springs/curve`: positions and velocities at given times or frames.
    package var curve: Handler {
        let names = ["time", "times", "fps", "curveDuration", "start", "target", "velocity"]
        return atOnce(SpringQuery.plainNames + names) { query, json in
            let spring = try SpringQuery(query)
            var (state, settlingTime) = (spring.curve.state, spring.settlingTime)
            var position: StaticString = "position"
            // A motion in points instead of shares of the travel.
            if ["start", "target", "velocity"].contains(where: query.contains) {
                guard !query.contains("initialVelocity") else {
                    let rule = "is not allowed with a travel in points; use `velocity`"
                    throw Problem.invalidQuery("initialVelocity", rule)
                }
                let (start, target) = (try query.points("start"), try query.requiredPoints("target"))
                let velocity = try query.points("velocity")
                state = { spring.curve.spring.state(at: $0, start: start, target: target, velocity: velocity) }
                position = "value"
                if target != start {
                    // Within the range of `initialVelocity`: a tiny travel has almost infinitely many in a second.
                    let relative = min(max(velocity / (target - start), -1e6), 1e6)
                    let curve = SpringCurve(spring.curve.spring, initialVelocity: relative)
                    settlingTime = curve.settlingTime(epsilon: spring.epsilon)
                }
            }
            let times = try Self.times(query, settlingTime)
            let states = times.map(state)
            // For one `time`, the answer contains numbers instead of lists.
            if query.contains("time") {
                json.member("time", times[0])
                json.member(position, states[0].position)
                json.member("velocity", states[0].velocity)
            } else {
                json.member("times", times)
                json.member(position, states.map(\.position))
                json.member("velocity", states.map(\.velocity))
            }
        }
    }

    private static func times(_ query: Query, _ settlingTime: Double?) throws -> [Double] {
        let limit = 2000
        // The lowest rate is one frame per second; a longer duration would exceed the limit.
        let end = try query.double("curveDuration", in: 0...Double(limit - 1))
        let names = ["time", "times", "fps"].filter(query.contains)
        guard names.count < 2 else { throw MotionError.contradiction(parameters: names) }
        if let time = try query.double("time", in: 0...1e6) { return [time] }
        if let times = try query.doubles("times", in: 0...1e6, atMost: limit) { return times }
        let rate = try query.double("fps", in: 1...1000) ?? 60
        guard let duration = end ?? settlingTime else {
            throw Problem.invalidQuery("curveDuration", "is missing; the spring never settles")
        }
        guard (duration * rate).rounded(.up) < Double(limit) else {
            throw Problem.invalidParameter("fps", "leads to more than \(limit) samples; lower it or `curveDuration`")
        }
        return SpringCurve.frameTimes(rate: rate, duration: duration, limit: limit)
    }

    /// `GET /v1/springs/linear`: a spring as a CSS easing, as JSON or as a rule.
    package var linear: Handler {
        { request, context in
            let isRule = try request.preferred(of: [.json, .css]) == .css
            let type = isRule ? "text/css; charset=utf-8" : "application/json"
            let handler = answer(LinearQuery.names, variant: isRule ? "css " : "", type: type) { query in
                let query = try LinearQuery(query)
                return {
                    let fit = try query.fit()
                    guard !isRule else { return Array(fit.css.utf8) }
                    return JSONWriter.object { json in
                        json.linear(fit)
                        json.member("rule", fit.css)
                    }
                }
            }
            return try handler(request, context).map { $0.varying(by: .accept) }
        }
    }

    /// `GET /v1/springs/export`: a spring as an easing in the source code of a library without springs.
    package var export: Handler {
        answer(LinearQuery.names + ["format"], type: "text/plain; charset=utf-8") { query in
            guard let format = try query.choice("format", of: EasingCode.self) else {
                throw Problem.invalidQuery("format", "is missing")
            }
            let query = try LinearQuery(query)
            return { Array(try query.easing { try format.text($0, maxError: $1, duration: $2) }.utf8) }
        }
    }

    /// `GET /v1/springs/retarget`: an animation that continues to another target, with its own spring or that of `b.`.
    package var retarget: Handler {
        let names = ["start", "target", "velocity", "time", "newTarget", "cap", "maxError", "runningDuration"]
        return later(SpringQuery.plainNames + names + SpringQuery.names(prefix: "b.")) { query in
            let spring = try SpringQuery(query)
            if query.contains("initialVelocity") {
                throw Problem.invalidQuery("initialVelocity", "is not allowed; use `velocity`, in points per second")
            }
            let other = query.names.contains { $0.hasPrefix("b.") } ? try SpringQuery(query, prefix: "b.") : spring
            let retargeting = Retargeting(
                spring.curve.spring,
                start: try query.points("start"),
                target: try query.requiredPoints("target"),
                velocity: try query.points("velocity"),
                time: try query.requiredDouble("time", in: 0...1e6),
                newTarget: try query.requiredPoints("newTarget"),
                next: other.curve.spring,
                cap: try query.double("cap", in: 0...1e6)
            )
            // Beyond 1e15 travels per second, the distance is below the position's precision.
            _ = try RelativeVelocity.checked(retargeting.relativeVelocity, upTo: 1e15, "newTarget")
            let maxError = try LinearFit.errors.checked(query.double("maxError") ?? LinearQuery.maxError, "maxError")
            let runningDuration = try query.double("runningDuration", in: 0.001...1e6)
            return { json in
                let curve = retargeting.curve
                json.member("value", retargeting.value)
                json.member("velocity", retargeting.velocity)
                json.member("initialVelocity", curve.initialVelocity)
                json.spring("spring", curve.spring)
                json.settling(PlatformSettling(curve, epsilon: other.epsilon))
                json.finite("overshoot", curve.overshoot)
                if let runningDuration {
                    json.finite("durationFactor", curve.spring.durationFactor(runningDuration: runningDuration))
                }
                // A spring that never settles has no easing, and neither has one with an excessive velocity. The work
                // is limited so that the answer takes at most 100 ms.
                let hasEasing = abs(curve.initialVelocity) <= 1e6
                json.linear(hasEasing ? try? LinearFit(curve, maxError: maxError, work: 60_000_000) : nil)
            }
        }
    }

    /// `GET /v1/springs/plot.svg`: a picture of one or two curves.
    package var plot: Handler { picture("image/svg+xml") { Array($0.svg.utf8) } }

    /// `GET /v1/springs/plot.png`, for places that show no SVG, such as previews of links.
    package var plotPNG: Handler { picture("image/png", variant: "png ") { $0.png } }

    private func picture(
        _ type: String,
        variant: String = "",
        _ draw: @escaping @Sendable (SpringPlot) -> [UInt8]
    ) -> Handler {
        answer(SpringPlot.names, variant: variant, type: type) { query in
            let plot = try SpringPlot(query)
            return { draw(plot) }
        }
    }
}

/// The parameters of a CSS easing.
struct LinearQuery: Sendable {
    /// If the convention has a `duration`, that name belongs to the convention.
    static let names =
        SpringQuery.plainNames
        + ["maxError", "duration", "curveDuration"].filter { !SpringQuery.plainNames.contains($0) }
    static let maxError = 0.002

    private let spring: SpringQuery
    private let maxError: Double
    private let duration: Double?
    private let durationName: String

    init(_ query: Query) throws {
        spring = try SpringQuery(query, shared: ["duration"])
        maxError = try query.double("maxError") ?? Self.maxError
        let isOwn = query.contains("duration") && !spring.names.contains("duration")
        if isOwn, query.contains("curveDuration") {
            throw MotionError.contradiction(parameters: ["duration", "curveDuration"])
        }
        durationName = isOwn ? "duration" : "curveDuration"
        duration = try query.double(durationName)
        // Invalid values are refused before the search is queued.
        _ = try LinearFit.errors.checked(maxError, "maxError")
        if let duration { _ = try LinearFit.durations.checked(duration, durationName) }
    }

    func fit() throws -> LinearFit { try easing { try LinearFit($0, maxError: $1, duration: $2) } }

    /// Returns what `make` returns for a curve, an error and a duration; its errors have the names of the query.
    func easing<Easing>(_ make: (SpringCurve, Double, Double?) throws -> Easing) throws -> Easing {
        do {
            return try make(spring.curve, maxError, duration)
        } catch MotionError.noCurve(let parameter, let reason) {
            let names = ["curveDuration": durationName, "dampingRatio": spring.dampingName]
            throw MotionError.noCurve(parameter: names[parameter] ?? parameter, reason: reason)
        }
    }
}

extension JSONWriter {
    /// Writes an easing with its duration, errors and fallback; null for each of them without an easing.
    fileprivate mutating func linear(_ fit: LinearFit?) {
        member("css", fit?.easing.css)
        member("stops", fit?.easing.count)
        member("maxError", fit?.measuredError)
        member("duration", fit?.duration)
        member("endResidual", fit?.endResidual)
        member("fallback", fit?.fallback.css)
    }
}
