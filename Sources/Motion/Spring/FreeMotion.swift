import Glibc

/// The motion of a spring about its rest, exactly: `y'' + 2 γ y' + ω² y = 0` with γ = ζ ω.
///
/// The remaining distance of an animation is such a motion, and so is its velocity; whoever evaluates, finds extrema
/// or looks for the moment after which nothing exceeds a threshold works on this one type.
///
/// One pair of functions covers the three regimes:
///
///     y (t) = E [ y₀ (c + a q) + y₁ q ]
///     y'(t) = E [ y₁ c - (ω² y₀ + b y₁) q ]
///
/// - ζ < 1: E = e^(-γt), c = cos rt, q = sin(rt) / r, a = b = γ, r = ω √((1-ζ)(1+ζ)).
/// - ζ ≥ 1: E = e^(-slow t), c = 1, q = (1 - e^(-2rt)) / 2r, a = slow, b = fast, r = ω √((ζ-1)(ζ+1)),
///   fast = ω (ζ + √((ζ-1)(ζ+1))), slow = ω² / fast.
///
/// Textbooks write the second case with sinh and cosh, which overflow for a long time and lose every digit of the
/// difference of two nearly equal exponentials; here the larger exponential is factored out, `expm1` keeps q exact
/// for any r, and no two close numbers are subtracted. Both cases meet at r = 0, where q = t.
package struct FreeMotion: Sendable, Hashable {
    /// y at time 0.
    let displacement: Double
    /// y' at time 0.
    let rate: Double
    private let isUnderdamped: Bool
    private let squaredFrequency: Double
    /// r: what tells the two exponents from their mean, real past critical, imaginary below it.
    private let split: Double
    /// The rate of E.
    private let decay: Double
    private let displacementWeight: Double
    private let rateWeight: Double

    /// The motion of `spring` that starts at `displacement` with `rate` (the derivative by seconds).
    package init(_ spring: Spring, displacement: Double, rate: Double) {
        let ratio = spring.dampingRatio
        let frequency = spring.naturalFrequency
        self.displacement = displacement
        self.rate = rate
        squaredFrequency = frequency * frequency
        isUnderdamped = ratio < 1
        if isUnderdamped {
            split = frequency * ((1 - ratio) * (1 + ratio)).squareRoot()
            decay = ratio * frequency
            displacementWeight = decay
            rateWeight = decay
        } else {
            let root = ((ratio - 1) * (ratio + 1)).squareRoot()
            split = frequency * root
            decay = frequency / (ratio + root)
            displacementWeight = decay
            rateWeight = frequency * (ratio + root)
        }
    }

    /// Displacement and rate at `time` seconds.
    package func state(at time: Double) -> (displacement: Double, rate: Double) {
        let envelope = exp(-decay * time)
        let c: Double
        let q: Double
        if isUnderdamped {
            c = cos(split * time)
            q = sin(split * time) / split
        } else {
            c = 1
            q = split == 0 ? time : -expm1(-2 * split * time) / (2 * split)
        }
        return (
            envelope * (displacement * (c + displacementWeight * q) + rate * q),
            envelope * (rate * c - (squaredFrequency * displacement + rateWeight * rate) * q)
        )
    }

    /// Displacement at `time` seconds.
    package func displacement(at time: Double) -> Double {
        state(at: time).displacement
    }
}

extension FreeMotion {
    /// The times at which the motion turns: the first of them, and the interval to each next one.
    ///
    /// There is no interval when there is no second turn, and nil when it never turns. A motion that starts with rate 0 turns at 0.
    package var turns: (first: Double, interval: Double?)? {
        let slope = squaredFrequency * displacement + rateWeight * rate
        if isUnderdamped {
            var angle = atan2(rate * split, slope)
            if angle < 0 { angle += .pi }
            if angle >= .pi { angle = 0 }
            return (angle / split, .pi / split)
        }
        if rate == 0 { return (0, nil) }
        let q = rate / slope
        // q grows from 0 to 1 / 2r without reaching it.
        guard q > 0, 2 * split * q < 1 else { return nil }
        return (split == 0 ? q : -log1p(-2 * split * q) / (2 * split), nil)
    }

    /// The last time, in seconds, at which the magnitude of the displacement is above `threshold`.
    ///
    /// Between two turns the motion is monotone, and each turn is smaller than the one before by the same factor. So
    /// the last turn that is above the threshold is a logarithm, and the answer is the one crossing between it and
    /// the next. It jumps when a turn drops under the threshold: that is a property of the question, not of the method.
    ///
    /// - Returns: 0 when it never is above; nil when that never ends.
    package func lastTime(above threshold: Double) -> Double? {
        guard let turns else { return crossing(of: threshold, after: 0) }
        let height = abs(displacement(at: turns.first))
        guard height > threshold else {
            return abs(displacement) > threshold ? crossing(of: threshold, between: 0, and: turns.first) : 0
        }
        guard let interval = turns.interval else { return crossing(of: threshold, after: turns.first) }
        guard decay > 0 else { return nil }
        let loss = decay * interval
        var index = (log(height / threshold) / loss).rounded(.down)
        // The phase of a turn this late is beyond the digits of a double; so is the difference to the envelope.
        guard index < 1e12 else {
            let time = index * interval
            return time.isFinite ? time : nil
        }
        // The logarithm may be off by one either way at the edge.
        if height * exp(-loss * index) <= threshold { index -= 1 }
        if height * exp(-loss * (index + 1)) > threshold { index += 1 }
        let start = turns.first + index * interval
        return crossing(of: threshold, between: start, and: start + interval)
    }

    /// The crossing after `start`, from which on the motion only falls.
    private func crossing(of threshold: Double, after start: Double) -> Double? {
        guard abs(displacement(at: start)) > threshold else { return 0 }
        var step = 1 / decay
        // Doublings from the smallest to the largest double; the time constant alone needs a dozen.
        for _ in 0..<2100 where step.isFinite {
            if abs(displacement(at: start + step)) <= threshold {
                return crossing(of: threshold, between: start, and: start + step)
            }
            step *= 2
        }
        return nil
    }

    /// The largest magnitude of the displacement from `time` seconds on.
    ///
    /// Each turn is smaller than the one before, so it is that of now or of the next turn.
    func largest(from time: Double) -> Double {
        let now = abs(displacement(at: time))
        guard let turns else { return now }
        guard time > turns.first else { return max(now, abs(displacement(at: turns.first))) }
        guard let interval = turns.interval else { return now }
        let next = turns.first + ((time - turns.first) / interval).rounded(.up) * interval
        return max(now, abs(displacement(at: next)))
    }

    /// The crossing of one side of the threshold between a time above it and a time not above it.
    private func crossing(of threshold: Double, between start: Double, and end: Double) -> Double {
        // On the way from one turn to the next the motion may run on to the other side, further out than the
        // threshold only if that turn were above it too, which it is not: the side of the start decides.
        let side = displacement(at: start) < 0 ? -1.0 : 1.0
        return bisect(start, end) { side * displacement(at: $0) > threshold }
    }
}

/// The last number at which `holds` does, between `lower`, where it does, and `upper`, where it does not.
func bisect(_ lower: Double, _ upper: Double, while holds: (Double) -> Bool) -> Double {
    var lower = lower
    var upper = upper
    // Between two doubles are at most 2^64 others, but halves of the way to 0 go through every exponent.
    for _ in 0..<2200 {
        let middle = lower + (upper - lower) / 2
        guard middle > lower, middle < upper else { return lower }
        if holds(middle) { lower = middle } else { upper = middle }
    }
    return lower
}
