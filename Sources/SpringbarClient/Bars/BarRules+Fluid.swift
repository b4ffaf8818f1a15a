import BarLayout
import Motion

extension BarRules {
    /// The formulas of "Designing Fluid Interfaces" (WWDC 2018), as the service uses them.
    ///
    /// The service has the same declaration: `BarLayout` does not import `Motion`, and the client imports no feature.
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
