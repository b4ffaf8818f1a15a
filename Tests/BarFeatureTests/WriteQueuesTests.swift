import Primitives
import TestSupport
import Testing

@testable import BarFeature

@Suite("Queues of writes")
struct WriteQueuesTests {
    private let queues = WriteQueues()
    private let id = BarID(high: 0, low: 1)

    @Test("the writes of a bar run one after the other, those of two bars at one time")
    func order() async throws {
        let gate = FakeStore.Gate()
        let log = Shared<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await queues.run(id) {
                    await gate.wait()
                    log.change { $0.append(1) }
                }
            }
            while gate.count == 0 { await Task.yield() }
            group.addTask { try await queues.run(id) { log.change { $0.append(2) } } }
            try await queues.run(BarID(high: 0, low: 2)) { log.change { $0.append(0) } }
            gate.open()
            try await group.waitForAll()
        }
        #expect(log.current == [0, 1, 2])
        #expect(queues.count == 0)
    }

    @Test("a cancelled write leaves the queue, and the next one runs")
    func cancellation() async throws {
        let gate = FakeStore.Gate()
        let first = Task { try await queues.run(id) { await gate.wait() } }
        while gate.count == 0 { await Task.yield() }
        let second = Task { try await queues.run(id) { Issue.record("a cancelled write runs") } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        let third = Task { try await queues.run(id) { 3 } }
        gate.open()
        try await first.value
        #expect(try await third.value == 3)
        #expect(queues.count == 0)
    }

    @Test("a write that fails leaves the queue free")
    func failure() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await queues.run(id) { throw Failure() } }
        #expect(queues.count == 0)
        try await queues.run(id) {}
    }
}

extension WriteQueues {
    /// Runs a write when the earlier ones of its bar have ended.
    fileprivate func run<Result>(_ id: BarID, _ write: () async throws -> Result) async throws -> Result {
        if let turn = enter(id), !(await turn.value(cancelled: false)) { throw CancellationError() }
        defer { leave(id) }
        return try await write()
    }
}
