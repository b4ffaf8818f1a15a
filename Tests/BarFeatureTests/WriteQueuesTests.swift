import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

@testable import BarFeature
@testable import SharedBars

@Suite("Queues of writes")
struct WriteQueuesTests {
    private let queues = WriteQueues()
    private let id = BarID(high: 0, low: 1)
    private let log = Shared<[Int]>([])

    @Test("the writes of a bar begin one after the other, in their order")
    func order() async {
        await queues.enter(id)
        let writes = await waitingWrites(1...2)
        #expect(log.current == [])
        for last in 1...2 {
            queues.leave(id)
            while log.current.count < last { await Task.yield() }
            #expect(log.current == Array(1...last))
        }
        for write in writes { await write.value }
        queues.leave(id)
        #expect(queues.count == 0)
    }

    @Test("the writes of two bars begin at one time")
    func twoBars() async {
        for number: UInt64 in 0..<2 { await queues.enter(BarID(high: 0, low: number)) }
        #expect(queues.count == 2)
    }

    /// Adds writes to the queue one after the other.
    private func waitingWrites(_ numbers: ClosedRange<Int>) async -> [Task<Void, Never>] {
        var writes: [Task<Void, Never>] = []
        for number in numbers {
            writes.append(
                Task { [queues, id, log] in
                    await queues.enter(id)
                    log.change { $0.append(number) }
                }
            )
            while queues.count <= number { await Task.yield() }
        }
        return writes
    }
}

@Suite("A write that waits for an earlier one of its bar")
struct WaitingWriteTests {
    @Test("a write whose client leaves meanwhile changes nothing, and the next one goes on")
    func cancelled() async throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        #expect(replicas.a.post(path + "/events", Bodies.offset(0)).status == 200)
        let gate = Gate()
        replicas.store.onCall { $0.isWrite && gate.count == 0 ? .waits(gate) : .works }
        let first = Task { try await write(10, to: path, replicas.a).value() }
        while gate.count == 0 { await Task.yield() }
        let second = Task { try await write(20, to: path, replicas.a).value() }
        second.cancel()
        gate.open()
        #expect(try await first.value.fields[.eTag] == "\"2\"")
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(try await write(30, to: path, replicas.a).value().fields[.eTag] == "\"3\"")
    }

    @Test("writes that wait fail with one that has an unknown outcome, and later ones are tried")
    func unknownOutcome() async throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let queues = try #require(replicas.b.sessions.store as? SharedBarStore).queues
        let gate = Gate()
        replicas.store.onCall { $0.isWrite ? .fails(.unknownOutcome) : .waits(gate) }
        let writes = (0..<5).map { y in Task { try await write(Double(y), to: path, replicas.b).value() } }
        try await waitUntil { queues.count == 5 && gate.count == 1 }
        gate.open()
        for write in writes {
            await #expect(throws: BarSessionError.unavailable) { try await write.value }
        }
        #expect(replicas.store.calls.count { $0.operation == .commit } == 4)
        replicas.store.onCall { _ in .works }
        #expect(try await write(30, to: path, replicas.b).value().fields[.eTag] == "\"1\"")
        #expect(queues.count == 0)
    }

    private func write(_ y: Double, to path: String, _ api: Service) throws -> Reply {
        try api.perform(try api.submit([y], to: path))
    }
}
