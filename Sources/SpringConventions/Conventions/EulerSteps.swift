import CMathematics
import Motion

/// A spring drawn in steps: semi-implicit Euler, which react-spring and Svelte use.
///
/// A step is linear. With the distance d to the target and the rate u per step it is
///
///     u' = (1 - b) u - a d,   d' = d + u'
///
/// Therefore its positions are those of another spring at the times of the steps. The two exponentials of that spring
/// over a step are the eigenvalues, with product 1 - b and sum 2 - a - b. The error follows without a simulation.
struct EulerSteps {
    /// The shares of the distance and of the rate that a step changes, above 0 and at least 0.
    let a: Double
    let b: Double
    /// The length of a step in seconds.
    let step: Double

    /// Returns the curve that the steps draw; nil if they are too long for a spring.
    func drawn(mass: Double, initialVelocity: Double) -> SpringCurve? {
        guard let spring = spring(mass: mass) else { return nil }
        // The rate with which that spring reaches the position of the first step; the position is linear in it.
        let first = 1 - a - (1 - b) * initialVelocity * step
        let resting = FreeMotion(spring, displacement: 1, rate: 0).displacement(at: step)
        let moving = FreeMotion(spring, displacement: 0, rate: 1).displacement(at: step)
        return SpringCurve(spring, initialVelocity: (resting - first) / moving)
    }

    /// Returns the spring with the positions of the steps; nil if they are too long for one.
    func spring(mass: Double) -> Spring? {
        guard b < 1, a + b < 2 else { return nil }
        let discriminant = (a + b) * (a + b) - 4 * a
        let decay = -log1p(-b) / (2 * step)
        var squared: Double
        if discriminant < 0 {
            let turn = atan2((-discriminant).squareRoot(), 2 - a - b) / step
            squared = decay * decay + turn * turn
        } else {
            // 1 minus either eigenvalue; their product is a.
            let larger = (a + b + discriminant.squareRoot()) / 2
            squared = log1p(-larger) * log1p(-a / larger) / (step * step)
        }
        guard squared > 0, squared < .infinity else { return nil }
        let frequency = squared.squareRoot()
        return Spring(ratio: decay / frequency, frequency: frequency, mass: mass)
    }

    /// Returns the number of steps before the first state at rest; nil if 100 000 steps do not lead to one.
    ///
    /// A state is the distance to the target, 1 at first, the rate per step, and that of the next step.
    func count(_ initialVelocity: Double, until isAtRest: (Double, Double, Double) -> Bool) -> Int? {
        var (distance, rate) = (1.0, -initialVelocity * step)
        return (0..<100_000).first { _ in
            let next = (1 - b) * rate - a * distance
            defer { (distance, rate) = (distance + next, next) }
            return isAtRest(distance, rate, next)
        }
    }
}

extension EulerSteps {
    /// Creates the steps with the positions of a spring; steps longer than a quarter of its turn are too long for it.
    init(_ spring: Spring, step: Double) {
        let decay = spring.decayRate * step
        (b, self.step) = (-expm1(-2 * decay), step)
        if spring.dampingRatio >= 1 {
            let fast = spring.naturalFrequency * spring.naturalFrequency / spring.slowRate
            a = expm1(-spring.slowRate * step) * expm1(-fast * step)
        } else {
            let half = sin(min(spring.dampedFrequency * step, .pi / 2) / 2)
            a = expm1(-decay) * expm1(-decay) + 4 * exp(-decay) * half * half
        }
    }
}
