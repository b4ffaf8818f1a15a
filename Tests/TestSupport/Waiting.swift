import Dispatch
import Primitives
import Synchronization

/// Runs asynchronous work and waits for it on the calling thread.
///
/// So a test that is not asynchronous can wait. The work runs as in `blocking`, so no other thread of Swift's pool is
/// blocked for it.
package func waiting<Result: Sendable>(for work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let outcome = Lock<Swift.Result<Result, any Error>?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    Task(executorPreference: BlockingExecutor.shared) {
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        outcome.withLock { $0 = result }
        isOver.signal()
    }
    isOver.wait()
    // `!`: it was set before the signal.
    return try outcome.withLock { $0 }!.get()
}
