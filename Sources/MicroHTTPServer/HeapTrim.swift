import Primitives

/// Decides when memory that the allocator keeps goes back to the system (malloc_trim(3)).
///
/// glibc gives back only what is free at the end of the heap: after 400 unfinished contents the process kept 34 MB for good.
/// Trimming takes milliseconds and blocks allocations, so it follows a peak of the memory budget, and not every release. It is
/// done twice, because memory is released a while after its reservation.
struct HeapTrim {
    /// The lowest peak that is worth it, in bytes.
    private static let leastPeak = 8 << 20
    /// The least time between two trims.
    private static let interval: Duration = .seconds(10)

    private var peak = 0
    private var pending = 0
    private var next: Instant

    init(now: Instant) {
        next = now
    }

    /// Decides at each tick whether to trim now.
    ///
    /// `bytes` are those of the memory budget that are reserved, `highest` the most since the last tick.
    mutating func isDue(bytes: Int, highest: Int, now: Instant) -> Bool {
        peak = max(peak, highest)
        if peak >= HeapTrim.leastPeak, bytes <= peak / 4 { (peak, pending) = (bytes, 2) }
        guard pending > 0, now >= next else { return false }
        pending -= 1
        next = now + HeapTrim.interval
        return true
    }
}
