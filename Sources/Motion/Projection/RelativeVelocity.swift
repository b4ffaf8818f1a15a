/// The velocity of a gesture as a spring wants it: in travels per second.
package enum RelativeVelocity {
    /// `velocity` over the distance from `current` to `target`, in travels per second, positive towards the target.
    ///
    /// Exactly 0 when there is no distance, as in the article; next to none it grows without bounds, which is why the
    /// article's drawer holds it to a cap.
    /// `velocity` is in points per second; `cap` is the largest magnitude, at least 0.
    package static func of(
        velocity: Double,
        from current: Double,
        to target: Double,
        cap: Double? = nil
    ) -> Double {
        let distance = target - current
        guard distance != 0 else { return 0 }
        let relative = velocity / distance
        // A distance of a denormal may divide to infinity.
        let limit = min(cap ?? .greatestFiniteMagnitude, .greatestFiniteMagnitude)
        return min(max(relative, -limit), limit)
    }

    /// Lets a relative velocity through, or refuses one that is held by nothing but the size of a double.
    ///
    /// `relative` and the largest magnitude, `limit`, are in travels per second; `parameter` is the name in the request of
    /// what makes the distance so small.
    ///
    /// - Throws: `MotionError.noNumber`.
    package static func checked(
        _ relative: Double,
        upTo limit: Double = Double.greatestFiniteMagnitude.nextDown,
        _ parameter: String
    ) throws(MotionError) -> Double {
        guard abs(relative) <= limit else {
            throw .noNumber(
                parameter: parameter,
                reason: """
                    leaves nearly no distance, so that the relative velocity exceeds \(limit.rough) travels per second; \
                    use the same position or a more distant one
                    """
            )
        }
        return relative
    }
}
