import Foundation

/// The time of a client: that of its pauses, marks and kept responses.
public protocol ClientClock: Sendable {
    /// Seconds, which only increase.
    var now: Double { get }
    /// Waits until a time; a cancelled task waits no longer.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until time: Double) async throws
}

/// The time since the device started, with the time that it slept: a kept response grows old then, too.
struct SystemClock: ClientClock {
    #if canImport(Darwin)
    private static let clock = CLOCK_MONOTONIC
    #else
    private static let clock = CLOCK_BOOTTIME
    #endif

    var now: Double {
        var time = timespec()
        clock_gettime(SystemClock.clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func sleep(until time: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(exactly: (max(0, time - now) * 1e9).rounded()) ?? 0)
    }
}
