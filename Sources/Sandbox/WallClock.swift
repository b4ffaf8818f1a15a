import Glibc

/// The time of day.
///
/// The standard library's clocks count from the start of the machine.
enum WallClock {
    /// Unix time, in seconds.
    static var now: Int { time(nil) }
}
