/// The velocity of a gesture relative to a spring animation: in travels per second.
public enum RelativeVelocity {
    /// Returns `velocity` divided by the distance from `current` to `target`, positive towards the target.
    ///
    /// It is exactly 0 without a distance, as in the article. `velocity` is in points per second, `cap` the largest magnitude.
    public static func of(velocity: Double, from current: Double, to target: Double, cap: Double? = nil) -> Double {
        let distance = target - current
        guard distance != 0 else { return 0 }
        let relative = velocity / distance
        // Division by a subnormal distance may result in infinity.
        let limit = min(cap ?? .greatestFiniteMagnitude, .greatestFiniteMagnitude)
        return min(max(relative, -limit), limit)
    }

    /// Returns a relative velocity within `limit` travels per second, or throws `MotionError.noNumber` for `parameter`.
    package static func checked(
        _ relative: Double,
        upTo limit: Double = Double.greatestFiniteMagnitude.nextDown,
        _ parameter: String
    ) throws(MotionError) -> Double {
        guard abs(relative) <= limit else {
            let reason = """
                leaves nearly no distance, so that the relative velocity exceeds \(limit.rough) travels per second; use \
                the same position or a more distant one
                """
            throw .noNumber(parameter: parameter, reason: reason)
        }
        return relative
    }
}
