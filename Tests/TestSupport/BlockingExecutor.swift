import Foundation

/// Runs `body` on a thread that it may block.
///
/// Swift's pool has one thread per core. If a raw client blocks one of them, the task that would answer it may never
/// run. Blocking code therefore runs on its own threads. It stays part of the test's task, so its expectations belong
/// to the test.
package func blocking<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(BlockingExecutor()) { try await body() }
}

/// Runs each job on a thread of its own.
final class BlockingExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Returns whether the condition becomes true in time.
///
/// The condition is polled, because the server's threads do not signal their progress.
package func eventually(within limit: Duration = .seconds(10), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        Thread.sleep(forTimeInterval: 0.002)
    }
    return true
}
