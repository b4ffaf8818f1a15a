import Primitives
import Synchronization

/// A clock that the test advances.
final class TestClock: Sendable {
    private let time = Lock(Instant.now)

    var now: Instant { time.withLock { $0 } }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }
}
