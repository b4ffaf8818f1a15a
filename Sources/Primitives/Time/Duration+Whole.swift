extension Duration {
    /// The duration in whole seconds, rounded up.
    package var wholeSecondsRoundedUp: Int { roundedUp(toNanoseconds: 1_000_000_000) }

    /// The duration in whole milliseconds, rounded up, so that a wait does not end before its deadline.
    package var wholeMillisecondsRoundedUp: Int { roundedUp(toNanoseconds: 1_000_000) }

    private func roundedUp(toNanoseconds unit: Int64) -> Int {
        let (whole, rest) = wholeNanoseconds.quotientAndRemainder(dividingBy: unit)
        return Int(rest > 0 ? whole + 1 : whole)
    }

    /// The duration in whole nanoseconds, towards zero, clamped to the range of an `Int64` (292 years).
    package var wholeNanoseconds: Int64 {
        // 64 bits hold nine seconds of attoseconds, and are divided without 128 bits: every request is timed with this.
        if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }
}
