import BarLayout

/// Makes marks of events that are unique among writers, and names.
///
/// SplitMix64 (Steele, Lea, Flood, 2014) makes the random part, so a session with a known seed can be repeated. The
/// service has its own: the client imports only the domain.
struct Marks: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns the event with its mark as the time: whole milliseconds of the clock, and a random part below one.
    mutating func marked(_ event: BarEvent, now: Double) -> BarEvent {
        let mark = ((now * 1000).rounded(.down) + fraction()) / 1000
        return BarEvent(event.action, source: event.source, scrollableID: event.scrollableID, timestamp: mark)
    }

    /// Returns a random number from 0 to 1, which is excluded.
    mutating func fraction() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a name of 32 hexadecimal digits.
    mutating func name() -> String {
        (0..<2).map { _ in
            let digits = String(next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
