import Primitives

/// Sends a call of a store again as long as its outcome is unknown.
package struct Retries: Sendable {
    private let pause: @Sendable (Duration) async throws -> Void

    package init(pause: @escaping @Sendable (Duration) async throws -> Void) {
        self.pause = pause
    }

    /// The pauses before a call is sent again; a store that restarts is back within them.
    private static let pauses: [Duration] = [.milliseconds(50), .milliseconds(150), .milliseconds(400)]
    /// The time after which no call is sent again: the first one was not lost with its connection, but had no reply, and the
    /// next one would close the connection of all others again.
    private static let longest = Duration.seconds(1)

    /// Returns the result of a call, and whether it was sent more than once.
    ///
    /// - Throws: `unknownOutcome` if a call possibly had an effect, `cancelled`, or the error of a call without effect.
    package func run<Result: Sendable>(
        _ call: () async throws -> Result
    ) async throws -> (result: Result, isRepeated: Bool) {
        let start = Instant.now
        for attempt in 0...Retries.pauses.count {
            do {
                return (try await call(), attempt > 0)
            } catch SharedStateError.unknownOutcome {
            } catch SharedStateError.unavailable where attempt > 0 {
            } catch let error as SharedStateError where attempt > 0 && error != .cancelled {
                throw SharedStateError.unknownOutcome
            }
            guard attempt < Retries.pauses.count, .now - start < Retries.longest else { break }
            try await pause(Retries.pauses[attempt])
        }
        throw SharedStateError.unknownOutcome
    }
}
