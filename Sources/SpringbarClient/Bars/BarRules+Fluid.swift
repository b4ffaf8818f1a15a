import BarLayout
import Motion

extension BarRules {
    /// The formulas of `Motion`, which `BarLayout` does not import, as the service uses them.
    static let fluid = BarRules(
        project: { velocity, rate in
            // Both types accept the same rates, so the second value is not used.
            let deceleration = (try? Deceleration(rate: rate.value)) ?? .normal
            return deceleration.wwdcDistance(velocity: velocity)
        },
        relativeVelocity: { velocity, current, target in
            RelativeVelocity.of(velocity: velocity, from: current, to: target)
        }
    )
}
