/// The time between attempts: it doubles, half of it is random, and the service may require more.
enum BackOff {
    /// Seconds before the first retry, and the longest time between two.
    private static let (first, longest) = (0.25, 15.0)

    /// Returns the seconds before the attempt after `attempt` failures in a row; `random` is from 0 to 1.
    static func pause(attempt: Int, retryAfter: Double?, random: Double) -> Double {
        let pause = min(first * Double(1 << min(attempt, 16)), longest) * (0.5 + random / 2)
        guard let retryAfter else { return pause }
        return max(pause, retryAfter + random * first)
    }
}
