import Synchronization

/// A clock of Unix time in seconds that the test advances.
final class ManualClock: Sendable {
    private let time: Atomic<Int>

    /// 2024-12-09T11:20:00Z, twenty minutes past an hour.
    init(_ time: Int = 1_733_743_200) {
        self.time = Atomic(time)
    }

    var now: Int { time.load(ordering: .relaxed) }

    func advance(seconds: Int) {
        time.add(seconds, ordering: .relaxed)
    }
}
