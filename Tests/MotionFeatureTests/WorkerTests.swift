import Foundation
import HTTPExchange
import HTTPTypes
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import MotionFeature

@Suite("The worker")
struct WorkerTests {
    /// A gate that work waits at, on the worker's own thread.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        func open(times: Int = 1) { for _ in 0..<times { semaphore.signal() } }
        func pass() { semaphore.wait() }
    }

    @Test("answers concurrent callers of a name, and refuses work beyond its limit")
    func bounded() async throws {
        let worker = Worker(limit: 2)
        let gate = Gate()
        let computed = Mutex(0)
        let work: @Sendable () throws -> Response = {
            gate.pass()
            computed.withLock { $0 += 1 }
            return .text("done")
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for name in ["x", "y"] {
                for _ in 0..<4 {
                    group.addTask { try await worker.answer(named: name, work).status.code }
                }
            }
            // Both are under way, and stay so: the gate is shut.
            try await waitUntil { worker.load.queued + worker.load.running >= 2 }
            await #expect(throws: Problem.busy) { try await worker.answer(named: "z", work) }
            #expect(worker.load.refused == 1)
            gate.open(times: 8)
            for try await status in group { #expect(status == 200) }
        }
        #expect((2...8).contains(computed.withLock { $0 }))
        #expect(worker.load == Worker.Load(queued: 0, running: 0, refused: 1))
    }

    @Test("a cancelled caller returns at once, while the computation continues")
    func cancellation() async throws {
        let worker = Worker(limit: 2)
        let gate = Gate()
        let task = Task {
            try await worker.answer(named: "x") {
                gate.pass()
                return .text("late")
            }
        }
        try await waitUntil { worker.load.running >= 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
    }

    @Test("an error is thrown and not kept: the next answer is computed anew")
    func failure() async throws {
        let worker = Worker(limit: 2)
        await #expect(throws: Problem.busy) { try await worker.answer(named: "x") { throw Problem.busy } }
        #expect(try await worker.answer(named: "x") { .text("well") }.status == .ok)
    }
}
