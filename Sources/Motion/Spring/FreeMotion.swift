import CMathematics

/// The exact motion of a spring about its rest position: `y'' + 2 γ y' + ω² y = 0` with γ = ζ ω.
///
/// The remaining distance of an animation obeys it, and so does its velocity. Two functions cover the three regimes:
///
///     y (t) = e^(-at) [ y₀ (c + a q) + y₁ q ]
///     y'(t) = e^(-at) [ y₁ c - (ω² y₀ + b y₁) q ]
///
/// - ζ < 1: c = cos rt, q = sin(rt) / r, a = b = γ, r = ω √((1-ζ)(1+ζ)).
/// - ζ ≥ 1: c = 1, q = (1 - e^(-2rt)) / 2r, b = ω (ζ + √((ζ-1)(ζ+1))), a = ω² / b, r = ω √((ζ-1)(ζ+1)).
///
/// The usual sinh and cosh overflow at late times and lose all digits in the difference of two nearly equal
/// exponentials. Here the larger one is factored out and `expm1` keeps q exact for any r. At r = 0 it is t.
public struct FreeMotion: Sendable, Hashable {
    let displacement: Double
    let rate: Double
    private let isUnderdamped: Bool
    private let squaredFrequency: Double
    /// r, a and b.
    private let split: Double
    private let decay: Double
    private let rateWeight: Double

    /// Creates the motion of `spring` that starts at `displacement` with `rate`, its derivative per second.
    public init(_ spring: Spring, displacement: Double, rate: Double) {
        (self.displacement, self.rate) = (displacement, rate)
        squaredFrequency = spring.naturalFrequency * spring.naturalFrequency
        isUnderdamped = spring.dampingRatio < 1
        split = spring.split
        decay = isUnderdamped ? spring.decayRate : spring.slowRate
        rateWeight = isUnderdamped ? spring.decayRate : spring.fastRate
    }

    /// Returns the displacement and the rate at `time` seconds.
    public func state(at time: Double) -> (displacement: Double, rate: Double) {
        let envelope = exp(-decay * time)
        let (c, q): (Double, Double)
        if isUnderdamped {
            (c, q) = (cos(split * time), sin(split * time) / split)
        } else {
            (c, q) = (1, split == 0 ? time : -expm1(-2 * split * time) / (2 * split))
        }
        return (
            envelope * (displacement * (c + decay * q) + rate * q),
            envelope * (rate * c - (squaredFrequency * displacement + rateWeight * rate) * q)
        )
    }

    /// Returns the displacement at `time` seconds.
    public func displacement(at time: Double) -> Double { state(at: time).displacement }

    /// The first turning point and the interval to others, if any, in seconds; nil if the motion never turns.
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
    /// Extrema shrink by the same factor, so a logarithm gives the last one above the threshold. The result is the only
    /// crossing between it and the next. It is 0 if the displacement is never above, and nil if it never stays below.
    ///
    /// An extremum that equals the threshold to twelve digits is not above it, so that rounding does not decide.
    public func lastTime(above threshold: Double) -> Double? {
        let tie = threshold * (1 + 1e-12)
        guard let turns else { return crossing(of: threshold, after: 0) }
        let height = abs(displacement(at: turns.first))
        guard height > tie else {
            return abs(displacement) > threshold ? crossing(of: threshold, between: 0, and: turns.first) : 0
        }
        guard let interval = turns.interval else { return crossing(of: threshold, after: turns.first) }
        guard decay > 0 else { return nil }
        let loss = decay * interval
        var index = (log(height / threshold) / loss).rounded(.down)
        // The phase of a turning point this late exceeds the precision of a double.
        guard index < 1e12 else { return index * interval < .infinity ? index * interval : nil }
        // At the boundary the logarithm may be off by one in either direction.
        if height * exp(-loss * index) <= tie { index -= 1 }
        if height * exp(-loss * (index + 1)) > tie { index += 1 }
        let start = turns.first + index * interval
        return crossing(of: threshold, between: start, and: start + interval)
    }

    /// Returns the crossing after `start`, from which the magnitude only falls.
    private func crossing(of threshold: Double, after start: Double) -> Double? {
        guard abs(displacement(at: start)) > threshold else { return 0 }
        // There are at most 2100 doublings from the smallest to the largest double.
        let ends = sequence(first: 1 / decay) { $0 * 2 }.prefix(2100).lazy.filter(\.isFinite).map { start + $0 }
        let end = ends.first { abs(displacement(at: $0)) <= threshold }
        return end.map { crossing(of: threshold, between: start, and: $0) }
    }

    /// Returns the crossing between `start`, which is above the threshold, and `end`, which is not.
    private func crossing(of threshold: Double, between start: Double, and end: Double) -> Double {
        // The motion may change sign before `end`. On the other side it stays within the threshold.
        let side = displacement(at: start) < 0 ? -1.0 : 1.0
        return bisect(start, end) { side * displacement(at: $0) > threshold }
    }
}

/// Returns the last number for which `holds` is true, between `lower`, where it is, and `upper`, where it is not.
package func bisect(_ lower: Double, _ upper: Double, while holds: (Double) -> Bool) -> Double {
    var (lower, upper) = (lower, upper)
    // There are at most 2^64 doubles between two others, but halving towards 0 passes every exponent.
    for _ in 0..<2200 {
        let middle = lower + (upper - lower) / 2
        guard middle > lower, middle < upper else { return lower }
        if holds(middle) { lower = middle } else { upper = middle }
    }
    return lower
}
