/// Sends a call of a store again as long as its outcome is unknown.
package struct Retries: Sendable {
    /// Waits before a call is sent again.
    private let pause: @Sendable (Duration) async throws -> Void

    package init(pause: @escaping @Sendable (Duration) async throws -> Void) {
        self.pause = pause
    }

    /// The pauses before a call is sent again; a store that restarts is back within them.
    private static let pauses: [Duration] = [.milliseconds(50), .milliseconds(150), .milliseconds(400)]

    /// Returns the result of a call, and whether it was sent more than once.
    ///
    /// - Throws: `unknownOutcome` if a call possibly had an effect, `cancelled`, or the error of a call without effect.
    package func run<Result: Sendable>(
        _ call: () async throws -> Result
    ) async throws -> (result: Result, isRepeated: Bool) {
        do {
            return (try await call(), false)
        } catch SharedStateError.unknownOutcome {
            for time in Retries.pauses {
                try await pause(time)
                do {
                    return (try await call(), true)
                } catch SharedStateError.unknownOutcome, SharedStateError.unavailable {
                    continue
                } catch let error as SharedStateError where error != .cancelled {
                    throw SharedStateError.unknownOutcome
                }
            }
            throw SharedStateError.unknownOutcome
        }
    }
}
