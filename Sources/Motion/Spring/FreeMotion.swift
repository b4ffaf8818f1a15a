#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The exact motion of a spring about its rest position: `y'' + 2 γ y' + ω² y = 0` with γ = ζ ω.
///
/// The remaining distance of an animation obeys this equation, and so does its velocity. Evaluation, extrema and
/// threshold times of both are computed by this one type.
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
/// Textbooks write the second case with sinh and cosh. These overflow at late times and lose all digits in the
/// difference of two nearly equal exponentials. Here the larger exponential is factored out and `expm1` keeps q exact
/// for any r. No two close numbers are subtracted. Both cases meet at r = 0, where q = t.
public struct FreeMotion: Sendable, Hashable {
    /// y at time 0.
    let displacement: Double
    /// y' at time 0.
    let rate: Double
    private let isUnderdamped: Bool
    private let squaredFrequency: Double
    /// r, half the difference of the two exponents: real above critical damping, imaginary below.
    private let split: Double
    /// The rate of E.
    private let decay: Double
    private let displacementWeight: Double
    private let rateWeight: Double

    /// Creates the motion of `spring` that starts at `displacement` with `rate`, its derivative per second.
    public init(_ spring: Spring, displacement: Double, rate: Double) {
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

    /// Returns the displacement and the rate at `time` seconds.
    public func state(at time: Double) -> (displacement: Double, rate: Double) {
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

    /// Returns the displacement at `time` seconds.
    public func displacement(at time: Double) -> Double {
        state(at: time).displacement
    }
}

extension FreeMotion {
    /// The first turning point in seconds and the interval between turning points; nil if the motion never turns.
    ///
    /// The interval is nil if there is only one turning point. A motion that starts with rate 0 turns at 0.
    public var turns: (first: Double, interval: Double?)? {
        let slope = squaredFrequency * displacement + rateWeight * rate
        if isUnderdamped {
            var angle = atan2(rate * split, slope)
            if angle < 0 { angle += .pi }
            if angle >= .pi { angle = 0 }
            return (angle / split, .pi / split)
        }
        if rate == 0 { return (0, nil) }
        let q = rate / slope
        // q grows from 0 towards 1 / 2r and never reaches it.
        guard q > 0, 2 * split * q < 1 else { return nil }
        return (split == 0 ? q : -log1p(-2 * split * q) / (2 * split), nil)
    }

    /// Returns the last time in seconds at which the magnitude of the displacement is above `threshold`.
    ///
    /// Between two turning points the motion is monotone, and each extremum is smaller than the previous one by the
    /// same factor. Therefore a logarithm gives the last extremum above the threshold. The result is the only crossing
    /// between it and the next extremum. The result jumps when an extremum falls below the threshold. This follows from
    /// the definition, not from the method.
    ///
    /// - Returns: 0 if the displacement is never above; nil if it never stays below.
    public func lastTime(above threshold: Double) -> Double? {
        guard let turns else { return crossing(of: threshold, after: 0) }
        let height = abs(displacement(at: turns.first))
        guard height > threshold else {
            return abs(displacement) > threshold ? crossing(of: threshold, between: 0, and: turns.first) : 0
        }
        guard let interval = turns.interval else { return crossing(of: threshold, after: turns.first) }
        guard decay > 0 else { return nil }
        let loss = decay * interval
        var index = (log(height / threshold) / loss).rounded(.down)
        // The phase of a turning point this late exceeds the precision of a double, and so does the difference to the
        // envelope.
        guard index < 1e12 else {
            let time = index * interval
            return time.isFinite ? time : nil
        }
        // At the boundary the logarithm may be off by one in either direction.
        if height * exp(-loss * index) <= threshold { index -= 1 }
        if height * exp(-loss * (index + 1)) > threshold { index += 1 }
        let start = turns.first + index * interval
        return crossing(of: threshold, between: start, and: start + interval)
    }

    /// Returns the crossing after `start`, from which the magnitude only falls.
    private func crossing(of threshold: Double, after start: Double) -> Double? {
        guard abs(displacement(at: start)) > threshold else { return 0 }
        var step = 1 / decay
        // Doublings from the smallest to the largest double. In practice a dozen are enough.
        for _ in 0..<2100 where step.isFinite {
            if abs(displacement(at: start + step)) <= threshold {
                return crossing(of: threshold, between: start, and: start + step)
            }
            step *= 2
        }
        return nil
    }

    /// Returns the largest magnitude of the displacement from `time` seconds on.
    ///
    /// Extrema shrink, so it is the magnitude at `time` or at the next turning point.
    func largest(from time: Double) -> Double {
        let now = abs(displacement(at: time))
        guard let turns else { return now }
        guard time > turns.first else { return max(now, abs(displacement(at: turns.first))) }
        guard let interval = turns.interval else { return now }
        let next = turns.first + ((time - turns.first) / interval).rounded(.up) * interval
        return max(now, abs(displacement(at: next)))
    }

    /// Returns the crossing between `start`, which is above the threshold, and `end`, which is not.
    private func crossing(of threshold: Double, between start: Double, and end: Double) -> Double {
        // Before `end` the motion may change sign. On the other side it stays within the threshold, because the
        // extremum there does. Only the sign at `start` matters.
        let side = displacement(at: start) < 0 ? -1.0 : 1.0
        return bisect(start, end) { side * displacement(at: $0) > threshold }
    }
}

/// Returns the last number for which `holds` is true, between `lower`, where it is true, and `upper`, where it is
/// false.
func bisect(_ lower: Double, _ upper: Double, while holds: (Double) -> Bool) -> Double {
    var lower = lower
    var upper = upper
    // There are at most 2^64 doubles between two others, but halving towards 0 passes every exponent.
    for _ in 0..<2200 {
        let middle = lower + (upper - lower) / 2
        guard middle > lower, middle < upper else { return lower }
        if holds(middle) { lower = middle } else { upper = middle }
    }
    return lower
}
