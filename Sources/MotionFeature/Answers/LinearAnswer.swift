import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/linear`: a spring as a CSS easing.
struct LinearAnswer: ObjectAnswer {
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

    func write(_ json: inout JSONWriter) throws {
        let style = try style()
        json.linear(style)
        json.member("rule", style.css(comment: comment))
    }

    func css() throws -> [UInt8] { Array(try style().css(comment: comment).utf8) }

    private func style() throws(MotionError) -> SpringStyle {
        do throws(MotionError) {
            return SpringStyle(try LinearFit(spring.curve, maxError: maxError, duration: duration), of: spring.curve)
        } catch .noCurve(let parameter, let reason) {
            let names = ["curveDuration": durationName, "dampingRatio": spring.dampingName]
            throw .noCurve(parameter: names[parameter] ?? parameter, reason: reason)
        }
    }

    private var comment: String {
        let spring = spring.curve.spring
        return "damping ratio \(spring.dampingRatio.plain), response \(spring.response.plain) s"
    }
}

extension JSONWriter {
    /// Writes an easing with its duration, errors and fallback; null for each of them without an easing.
    mutating func linear(_ style: SpringStyle?) {
        member("css", style?.fit.easing.css)
        member("stops", style?.fit.easing.count)
        member("maxError", style?.fit.measuredError)
        member("duration", style?.fit.duration)
        member("endResidual", style?.fit.endResidual)
        member("fallback", style?.fallback.css)
    }
}
