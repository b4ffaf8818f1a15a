import Dispatch
import Foundation
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("BoundedWorker", .timeLimit(.minutes(1)))
struct BoundedWorkerTests {
    @Test("computes on its own thread, and the threads of Swift's pool stay free")
    func ownThread() async throws {
        let worker = BoundedWorker<Int, Int>(limit: 64)
        let gate = DispatchSemaphore(value: 0)
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
            try await waitUntil { worker.load.counts == [31, 1, 0] }
            for _ in 0..<32 { gate.signal() }
            var sum = 0
            for try await number in group { sum += number }
            #expect(sum == 31 * 16)
        }
    }

    @Test("a computation that lost its callers stops, and a later caller gets a new one")
    func abandoned() async throws {
        let worker = BoundedWorker<String, Int>(limit: 1)
        let hasStopped = Lock(false)
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
        // With a limit of one, the name is free only after the computation was abandoned.
        try await waitUntil { hasStopped.withLock { $0 } }
        #expect(try await worker.value(named: "x") { _ in 7 } == 7)
        #expect(worker.load.counts == [0, 0, 0])
    }

    @Test("a caller whose task is cancelled already does not wait")
    func cancelledBefore() async throws {
        let worker = BoundedWorker<String, Int>(limit: 1)
        let gate = DispatchSemaphore(value: 0)
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

    @Test("computations above the limit are refused, and abandoned ones are not begun")
    func limit() async throws {
        let worker = BoundedWorker<String, Int>(limit: 2)
        let gate = DispatchSemaphore(value: 0)
        let begun = Shared<[String]>([])
        func value(_ name: String) -> Task<Int, any Error> {
            Task {
                try await worker.value(named: name) { _ in
                    begun.change { $0.append(name) }
                    gate.wait()
                    return 1
                }
            }
        }
        let first = value("x")
        try await waitUntil { worker.load.running == 1 }
        let queued = value("y")
        try await waitUntil { worker.load.queued == 1 }
        await #expect(throws: WorkerIsBusy.self) { try await value("z").value }
        #expect(worker.load.counts == [1, 1, 1])
        queued.cancel()
        await #expect(throws: CancellationError.self) { try await queued.value }
        let last = value("z")
        try await waitUntil { worker.load.queued == 1 }
        for _ in 0..<2 { gate.signal() }
        #expect(try await first.value + last.value == 2)
        #expect(begun.current == ["x", "z"])
    }

    @Test("one client has at most half of the places; others have the rest, and all may join a computation")
    func shares() async throws {
        let worker = BoundedWorker<String, Int>(limit: 4)
        let gate = DispatchSemaphore(value: 0)
        let (greedy, other) = (ClientKey(bits: 1), ClientKey(bits: 2))
        func value(_ name: String, for client: ClientKey) -> Task<Int, any Error> {
            Task {
                try await worker.value(named: name, for: client) { _ in
                    gate.wait()
                    return 1
                }
            }
        }
        var tasks = [value("a", for: greedy), value("b", for: greedy)]
        try await waitUntil { worker.load.queued + worker.load.running == 2 }
        await #expect(throws: WorkerIsBusy.self) { try await value("c", for: greedy).value }
        tasks.append(value("a", for: greedy))
        tasks.append(value("d", for: other))
        try await waitUntil { worker.load.queued + worker.load.running == 3 }
        for _ in 0..<3 { gate.signal() }
        for task in tasks { #expect(try await task.value == 1) }
        // The share is free again.
        gate.signal()
        #expect(try await value("c", for: greedy).value == 1)
    }
}

extension WorkerLoad {
    /// The computations that wait, that run, and that were refused.
    fileprivate var counts: [Int] { [queued, running, refused] }
}
