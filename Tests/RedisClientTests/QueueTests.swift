import Primitives
import TestSupport
import Testing

@testable import RedisClient

@Suite("Queues of a connection")
struct QueueTests {
    @Test("A command whose caller gives up before the connection is open is not sent", arguments: [false, true])
    func abandoned(isAbandoned: Bool) {
        let round = Round()
        let queue = CommandQueue(round: round)
        let job = CommandQueue.Job(RedisCommand("PING"), submitted: .now)
        queue.send(job, now: .now)
        if isAbandoned { job.outcome.deliver(nil) }
        queue.opened(ServerFacts(), now: .now)
        #expect(queue.output.isEmpty == isAbandoned && round.ended.isEmpty != isAbandoned)
    }

    @Test("A FIFO is an array without its removed elements", arguments: [3, 40, 5000])
    func fifo(growth: Int) {
        var generator = SeededGenerator(seed: UInt64(growth))
        var queue = FIFO<Int>()
        var expected: [Int] = []
        for round in 0..<200 {
            for number in 0..<Int.random(in: 0...growth, using: &generator) {
                queue.append(round * 10_000 + number)
                expected.append(round * 10_000 + number)
            }
            let removed = min(expected.count + 1, Int.random(in: 0...growth, using: &generator))
            for _ in 0..<removed { #expect(queue.popFirst() == (expected.isEmpty ? nil : expected.removeFirst())) }
            #expect(queue.isEmpty == expected.isEmpty)
            #expect(queue.first == expected.first)
        }
    }

    @Test("A FIFO keeps nothing of a removed element")
    func removed() {
        final class Command {}
        var queue = FIFO<Command>()
        queue.append(Command())
        weak let reference = queue.first
        queue.append(Command())
        #expect(reference != nil)
        _ = queue.popFirst()
        #expect(reference == nil && !queue.isEmpty)
    }
}
