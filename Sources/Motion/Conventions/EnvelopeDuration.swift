import Glibc

/// A duration that stands for a frequency: the time after which an envelope is down to a threshold.
///
/// SwiftUI's settling duration and Motion's duration with a bounce are the same function, one with a threshold to
/// choose and the other with 0.001. Below critical the phase ω t solves e^(-ζωt) √(1-ζ²) / ζ = ε … which is not the
/// envelope of a start at rest, and goes to infinity at critical; there, and only there, it is the X of
/// (1 + X) e^(-X) = ε. Both are kept to the letter: next to a bounce of 0 the same duration means a much stiffer
/// spring.
enum EnvelopeDuration {
    /// ω t for a ratio above 0 and at most 1; nil where the threshold is already met at the start.
    static func phase(ratio: Double, threshold: Double) -> Double? {
        guard ratio < 1 else { return criticalPhase(threshold: threshold) }
        let amplitude = ratio / ((1 - ratio) * (1 + ratio)).squareRoot() / threshold
        guard amplitude > 1 else { return nil }
        return log(amplitude) / ratio
    }

    /// The threshold that makes a phase of ω t; nil when it is too small for a double.
    static func threshold(ratio: Double, phase: Double) -> Double? {
        let threshold =
            ratio < 1
            ? ratio / ((1 - ratio) * (1 + ratio)).squareRoot() * exp(-ratio * phase) : (1 + phase) * exp(-phase)
        return threshold.isNormal && threshold < 1 ? threshold : nil
    }

    /// X of (1 + X) e^(-X) = ε, for 0 < ε < 1.
    private static func criticalPhase(threshold: Double) -> Double {
        bisect(0, 1000) { log1p($0) - $0 > log(threshold) }
    }
}
