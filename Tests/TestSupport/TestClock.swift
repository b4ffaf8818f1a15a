package import Primitives
import Synchronization

/// A clock of bars and photos that the test advances.
package final class TestClock: Sendable {
    private let moment = Lock(WallTime(milliseconds: 1_700_000_000_000))

    package init() {}

    package var now: WallTime { moment.withLock { $0 } }

    package func advance(seconds: Int) {
        moment.withLock { $0 = WallTime(milliseconds: $0.milliseconds + seconds * 1000) }
    }
}
