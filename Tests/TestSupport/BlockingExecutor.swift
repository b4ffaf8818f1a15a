import Foundation

/// Runs `body` on a thread that it may block.
///
/// Swift's pool has one thread a core. A raw client that waits on one of them can keep the task from running that would
/// answer it, so what blocks runs elsewhere; the test's task stays the same, and with it what an expectation belongs to.
package func blocking<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(BlockingExecutor()) { try await body() }
}

/// A thread for each job.
private final class BlockingExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Whether the condition comes true in time.
///
/// It is asked for again and again: what happens on the server's threads signals nobody here.
package func eventually(within limit: Duration = .seconds(10), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        Thread.sleep(forTimeInterval: 0.002)
    }
    return true
}
