import Motion

/// Integrates y'' = -ω² y - 2 ζ ω y' by the classical Runge-Kutta method with step doubling, without the closed form.
struct ReferenceIntegration {
    let frequency: Double
    let ratio: Double
    var time = 0.0
    var displacement: Double
    /// y' / ω, so that both components have the same magnitude.
    var rate: Double

    init(_ spring: Spring, displacement: Double, rate: Double) {
        frequency = spring.naturalFrequency
        ratio = spring.dampingRatio
        self.displacement = displacement
        self.rate = rate / spring.naturalFrequency
    }

    /// Integrates up to `end`, in units of 1/ω, with a local error of at most `tolerance`.
    mutating func advance(to end: Double, tolerance: Double = 1e-14) {
        var step = 0.01 / max(1, ratio)
        while time < end {
            step = min(step, end - time)
            let whole = stepped((displacement, rate), step)
            let half = stepped((displacement, rate), step / 2)
            let twice = stepped(half, step / 2)
            let scale = max(1, abs(twice.0), abs(twice.1))
            let error = max(abs(whole.0 - twice.0), abs(whole.1 - twice.1)) / 15 / scale
            if error <= tolerance || step < 1e-9 {
                time += step
                // Richardson extrapolation, one order higher than either result.
                displacement = twice.0 + (twice.0 - whole.0) / 15
                rate = twice.1 + (twice.1 - whole.1) / 15
                if error < tolerance / 64 { step *= 1.5 }
            } else {
                step /= 2
            }
        }
    }

    private func slope(_ state: (Double, Double)) -> (Double, Double) {
        (state.1, -state.0 - 2 * ratio * state.1)
    }

    private func stepped(_ state: (Double, Double), _ h: Double) -> (Double, Double) {
        let k1 = slope(state)
        let k2 = slope((state.0 + h / 2 * k1.0, state.1 + h / 2 * k1.1))
        let k3 = slope((state.0 + h / 2 * k2.0, state.1 + h / 2 * k2.1))
        let k4 = slope((state.0 + h * k3.0, state.1 + h * k3.1))
        return (
            state.0 + h / 6 * (k1.0 + 2 * k2.0 + 2 * k3.0 + k4.0),
            state.1 + h / 6 * (k1.1 + 2 * k2.1 + 2 * k3.1 + k4.1)
        )
    }
}
