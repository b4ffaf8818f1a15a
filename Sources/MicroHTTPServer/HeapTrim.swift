import Primitives

/// Decides when memory that the allocator keeps goes back to the system (malloc_trim(3)).
///
/// glibc gives back only what is free at the end of each of its arenas: after 400 unfinished contents the process kept 34
/// MB for good. Trimming takes milliseconds and blocks allocations, so it follows a peak of the memory budget, and not
/// every release.
struct HeapTrim {
    /// The lowest peak that is worth it, in bytes.
    static let leastPeak = 8 << 20
    /// The least time between two trims.
    static let interval: Duration = .seconds(10)

    private var peak = 0
    /// Whether the budget had fallen at the last tick: the memory itself is released a moment after its reservation.
    private var hasFallen = false
    /// The peak from which the next trim is worth it: lower if bytes of the last peak were still reserved at its trim.
    private var threshold = leastPeak
    private var next: MonotonicTime

    init(now: MonotonicTime) {
        next = now
    }

    /// Returns whether to trim now, when the memory budget has reserved `bytes`; called at each tick.
    mutating func isDue(bytes: Int, now: MonotonicTime) -> Bool {
        peak = max(peak, bytes)
        let hadFallen = hasFallen
        hasFallen = peak >= threshold && bytes <= peak / 4
        guard hasFallen, hadFallen, now >= next else { return false }
        peak = bytes
        hasFallen = false
        threshold = min(HeapTrim.leastPeak, max(bytes, HeapTrim.leastPeak / 8))
        if bytes < threshold { threshold = HeapTrim.leastPeak }
        next = now + HeapTrim.interval
        return true
    }
}
