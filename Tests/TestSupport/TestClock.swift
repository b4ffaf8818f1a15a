package import Primitives
import Synchronization

/// A clock that the test advances.
package final class TestClock: Sendable {
    private let start = Instant.now
    private let seconds: Int
    private let passed = Lock(Duration.zero)

    /// `seconds` is the Unix time at which the clock begins.
    package init(_ seconds: Int = 1_700_000_000) {
        self.seconds = seconds
    }

    /// The time of bars and photos.
    package var now: WallTime {
        WallTime(milliseconds: seconds * 1000 + Int(passed.withLock { $0 }.wholeNanoseconds / 1_000_000))
    }

    /// The time of limits and measurements.
    package var instant: Instant { start + passed.withLock { $0 } }

    package func advance(by duration: Duration) {
        passed.withLock { $0 += duration }
    }

    package func advance(seconds: Int) {
        advance(by: .seconds(seconds))
    }
}
