import Foundation
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("A worker with a bounded queue", .timeLimit(.minutes(1)))
struct BoundedWorkerTests {
    @Test("computes on a thread of its own, and the pool's threads stay free")
    func ownThread() async throws {
        let worker = BoundedWorker<Int, Int>(limit: 64)
        let gate = ThreadSemaphore()
        try await withThrowingTaskGroup(of: Int.self) { group in
            // As many as there are cores would fill Swift's pool.
            for number in 0..<32 {
                group.addTask {
                    try await worker.value(named: number) { _ in
                        gate.wait()
                        return number
                    }
                }
            }
            try await waitUntil { worker.load == WorkerLoad(queued: 31, running: 1, refused: 0) }
            for _ in 0..<32 { gate.signal() }
            var sum = 0
            for try await number in group { sum += number }
            #expect(sum == 31 * 16)
        }
    }

    @Test("work that lost its callers stops where it asks, and a later caller gets a new computation")
    func abandoned() async throws {
        let worker = BoundedWorker<String, Int>(limit: 1)
        let hasStopped = Mutex(false)
        let first = Task {
            try await worker.value(named: "x") { isWanted in
                while isWanted() { usleep(500) }
                hasStopped.withLock { $0 = true }
                throw CancellationError()
            }
        }
        try await waitUntil { worker.load.running == 1 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // At the limit of one the name is free again only when the work was abandoned.
        try await waitUntil { hasStopped.withLock { $0 } }
        #expect(try await worker.value(named: "x") { _ in 7 } == 7)
        #expect(worker.load == WorkerLoad(queued: 0, running: 0, refused: 0))
    }

    @Test("a caller that was cancelled before it asks does not wait")
    func cancelledBefore() async throws {
        let worker = BoundedWorker<String, Int>(limit: 1)
        let gate = ThreadSemaphore()
        let running = Task {
            try await worker.value(named: "x") { _ in
                gate.wait()
                return 1
            }
        }
        try await waitUntil { worker.load.running == 1 }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await worker.value(named: "x") { _ in 2 }
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        gate.signal()
        #expect(try await running.value == 1)
    }

    @Test("a wait with a limit ends at its limit, and at once when it was signalled before")
    func timedWait() {
        let semaphore = ThreadSemaphore()
        #expect(!semaphore.wait(for: .milliseconds(1)))
        #expect(!semaphore.wait(for: .seconds(-1)))
        semaphore.signal()
        #expect(semaphore.wait(for: .seconds(60)))
    }
}
