#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The phase ω t after which a measure of the motion reaches a threshold: it converts a duration to a frequency.
enum SettlingPhase {
    /// Returns the phase of SwiftUI's settling duration, and of Motion's duration with a bounce.
    ///
    /// Below critical damping it solves e^(-ζωt) √(1-ζ²) / ζ = ε. That is not the envelope of a start at rest, and it
    /// grows to infinity towards critical damping. At critical damping it is the X of (1 + X) e^(-X) = ε. Both are
    /// reproduced exactly. `ratio` is above 0 and at most 1. Returns nil if the start is already within the threshold.
    static func envelope(ratio: Double, threshold: Double) -> Double? {
        guard ratio < 1 else { return bisect(0, 1000) { log1p($0) - $0 > log(threshold) } }
        let amplitude = ratio / ((1 - ratio) * (1 + ratio)).squareRoot() / threshold
        return amplitude > 1 ? log(amplitude) / ratio : nil
    }

    /// Returns the threshold that `envelope` reaches at a phase; nil if it is too small for a double.
    static func threshold(ratio: Double, phase: Double) -> Double? {
        let threshold =
            ratio < 1
            ? ratio / ((1 - ratio) * (1 + ratio)).squareRoot() * exp(-ratio * phase) : (1 + phase) * exp(-phase)
        return threshold.isNormal && threshold < 1 ? threshold : nil
    }

    /// Returns the s of e^(-2s) ((1 + s)² + ζ² s²) = 6e-9, the energy of a critical curve with the rate ζ ω.
    ///
    /// Reanimated solves this equation for every ratio, independently of the curve that it draws.
    static func energy(ratio: Double) -> Double {
        // The left side falls from 1. At ζ = 100 it is below the threshold from 20 on.
        bisect(0, 100) { s in log((1 + s) * (1 + s) + ratio * ratio * s * s) - 2 * s > log(6e-9) }
    }
}
