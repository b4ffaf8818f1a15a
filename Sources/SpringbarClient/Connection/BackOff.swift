/// The time between attempts: it doubles, half of it is random, and the service may require more.
struct BackOff: Sendable {
    /// Seconds before the first retry, and the longest time between two.
    private static let (first, longest) = (0.25, 15.0)

    private var random: Marks

    /// `seed` makes the times random.
    init(seed: UInt64) {
        random = Marks(seed: seed)
    }

    /// Returns the seconds before the attempt after `attempt` failures in a row.
    mutating func pause(attempt: Int, retryAfter: Double?) -> Double {
        let part = random.fraction()
        if let retryAfter { return retryAfter + part * BackOff.first }
        var pause = BackOff.first
        for _ in 0..<min(attempt, 16) { pause = min(2 * pause, BackOff.longest) }
        return pause * (0.5 + part / 2)
    }
}
