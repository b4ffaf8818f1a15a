import Foundation
import Primitives
import Synchronization

/// Runs asynchronous work and waits for it on the calling thread, which also runs the jobs of the work.
///
/// So a test that is not asynchronous can wait, and no thread of Swift's pool is blocked for another one.
package func waiting<Result: Sendable>(for work: @escaping @Sendable () async throws -> Result) throws -> Result {
    let executor = CallerExecutor()
    let outcome = Outcome<Result>()
    Task(executorPreference: executor) {
        do {
            outcome.set(.success(try await work()))
        } catch {
            outcome.set(.failure(error))
        }
        executor.finish()
    }
    executor.run()
    // `!`: the executor runs until the outcome was set.
    return try outcome.value!.get()
}

/// The outcome of a task, for its creator.
private final class Outcome<Value: Sendable>: Sendable {
    private let outcome = Lock<Result<Value, any Error>?>(nil)

    var value: Result<Value, any Error>? { outcome.withLock { $0 } }

    func set(_ value: Result<Value, any Error>) {
        outcome.withLock { $0 = value }
    }
}

/// Runs jobs on the thread that calls `run`.
///
/// `@unchecked Sendable`: the jobs are accessed only under the lock of the condition.
private final class CallerExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isFinished = false

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.lock()
        jobs.append(job)
        condition.unlock()
        condition.signal()
    }

    func finish() {
        condition.lock()
        isFinished = true
        condition.unlock()
        condition.signal()
    }

    /// Runs jobs until the work has finished.
    func run() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty, !isFinished { condition.wait() }
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }
}
