import Primitives

extension SpringCurve {
    /// Times of the frames of an animation: 0, 1/rate, … up to and including the first at or after `duration` seconds.
    ///
    /// `rate` is in frames per second and above 0; there are at most `limit` frames.
    package static func frameTimes(rate: Double, duration: Double, limit: Int) -> [Double] {
        let count = Int.clamping((duration * rate).rounded(.up) + 1, to: 1...limit)
        return (0..<count).map { Double($0) / rate }
    }
}
