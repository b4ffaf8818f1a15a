package import BarLayout
import Motion

extension BarRules {
    /// Projection and relative velocity as the motion part of the service knows them, by the formulas of WWDC 2018.
    package static let fluid = BarRules(
        project: { velocity, rate in
            // Both types take rates above 0 and below 1.
            let deceleration = try! Deceleration(rate: rate.value)
            return deceleration.wwdcDistance(velocity: velocity)
        },
        relativeVelocity: { velocity, current, target in
            RelativeVelocity.of(velocity: velocity, from: current, to: target)
        }
    )
}
