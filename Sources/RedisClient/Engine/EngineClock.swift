import Primitives
import Synchronization

/// The server's time: its clock when it was last read, and a monotonic clock since then.
///
/// Redis ends values by its own clock, so all replicas agree on the end of a bar, whatever their clocks show.
final class EngineClock: Sendable {
    private struct Reading {
        let time: WallTime
        let taken: Instant
    }

    private let reading = Mutex<Reading?>(nil)

    /// The time; that of the own clock before the first reading.
    var now: WallTime {
        guard let reading = reading.withLock({ $0 }) else { return .now }
        let passed = (Instant.now - reading.taken).wholeNanoseconds / 1_000_000
        return WallTime(milliseconds: reading.time.milliseconds + Int(passed))
    }

    func set(_ time: WallTime) {
        reading.withLock { $0 = Reading(time: time, taken: .now) }
    }
}
