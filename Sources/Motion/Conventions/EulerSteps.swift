import Glibc

/// A spring drawn in steps: semi-implicit Euler, as react-spring does it with steps of a millisecond (SpringValue.ts).
///
/// A step is linear. With the distance d to the target, the rate u per step, a = ω² h² and b = 2γh it is
///
///     u' = (1 - b) u - a d,   d' = d + u'
///
/// so that its positions are those of another spring at the steps' times: the one whose two exponentials over a step are
/// the eigenvalues, of product 1 - b and sum 2 - a - b. Nothing has to be simulated to say how far it is off.
enum EulerSteps {
    /// The curve that steps of `step` seconds draw in place of `curve`.
    ///
    /// - Returns: nil when the steps are too long for the spring, so that they swing to and fro, or out of bounds.
    static func drawn(_ curve: SpringCurve, step: Double) -> SpringCurve? {
        let spring = curve.spring
        let pull = spring.naturalFrequency * step * (spring.naturalFrequency * step)
        let brake = 2 * spring.decayRate * step
        let (product, sum) = (1 - brake, 2 - pull - brake)
        guard product > 0, sum > 0, let drawnSpring = self.spring(product, sum, step: step, mass: spring.mass) else {
            return nil
        }
        // The rate with which that spring comes to where the first step does: its position is linear in it.
        let first = 1 - pull - (1 - brake) * curve.initialVelocity * step
        let resting = FreeMotion(drawnSpring, displacement: 1, rate: 0).displacement(at: step)
        let moving = FreeMotion(drawnSpring, displacement: 0, rate: 1).displacement(at: step)
        return SpringCurve(drawnSpring, initialVelocity: (resting - first) / moving)
    }

    /// The spring whose exponentials over a step have that product and that sum.
    private static func spring(_ product: Double, _ sum: Double, step: Double, mass: Double) -> Spring? {
        let decay = -log(product) / (2 * step)
        // Half the eigenvalues' quotient, as a cosine below critical and a hyperbolic one past it.
        let cosine = sum / (2 * product.squareRoot())
        let turn = (cosine < 1 ? acos(cosine) : acosh(cosine)) / step
        let squared = decay * decay + (cosine < 1 ? turn * turn : -turn * turn)
        guard squared > 0, decay >= 0 else { return nil }
        let frequency = squared.squareRoot()
        return Spring(ratio: decay / frequency, frequency: frequency, mass: mass)
    }
}
