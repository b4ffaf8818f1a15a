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

struct SystemClock: ClientClock {
    var now: Double { ProcessInfo.processInfo.systemUptime }

    func sleep(until time: Double) async throws {
        try await Task.sleep(nanoseconds: UInt64(exactly: (max(0, time - now) * 1e9).rounded()) ?? 0)
    }
}
