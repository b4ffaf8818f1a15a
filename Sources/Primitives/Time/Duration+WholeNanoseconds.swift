extension Duration {
    /// The duration in whole nanoseconds, towards zero, clamped to the range of an `Int64` (292 years).
    package var wholeNanoseconds: Int64 {
        // 64 bits hold nine seconds of attoseconds, and are divided without 128 bits: every request is timed with this.
        if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }
}
