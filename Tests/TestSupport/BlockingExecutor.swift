import Foundation

/// Runs `body` on a thread that it may block.
///
/// Swift's pool has one thread per core. If a raw client blocks one of them, the task that would answer it may never
/// run. Blocking code therefore runs on its own threads. It stays part of the test's task, so its expectations belong
/// to the test.
package func blocking<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try await body() }
}

/// Runs each job on a thread that it has for itself; a thread that is free again runs later ones.
///
/// `@unchecked Sendable`: the jobs and the number of free threads are accessed only under the lock of the condition.
final class BlockingExecutor: TaskExecutor, @unchecked Sendable {
    static let shared = BlockingExecutor()

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var freeThreads = 0

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.lock()
        jobs.append(job)
        // A free thread that was signalled and has not run yet counts for its job.
        let needsThread = jobs.count > freeThreads
        condition.unlock()
        if needsThread { Thread.detachNewThread(run) } else { condition.signal() }
    }

    private func run() {
        while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty {
            freeThreads += 1
            condition.wait()
            freeThreads -= 1
        }
        return jobs.removeFirst()
    }
}

/// Returns whether the condition becomes true in time.
///
/// The condition is polled, because the server's threads do not signal their progress.
package func eventually(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        Thread.sleep(forTimeInterval: 0.002)
    }
    return true
}
