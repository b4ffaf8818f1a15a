import TestSupport
import Testing

@testable import RedisClient

/// Compares the queues of a connection with the same operations on arrays.
@Suite("Queues of a connection")
struct QueueTests {
    @Test("A FIFO is an array without its removed elements", arguments: [3, 40, 5000])
    func fifo(growth: Int) {
        var generator = SeededGenerator(seed: UInt64(growth))
        var queue = FIFO<Int?>()
        var expected: [Int] = []
        for round in 0..<200 {
            for number in 0..<Int.random(in: 0...growth, using: &generator) {
                queue.append(round * 10_000 + number)
                expected.append(round * 10_000 + number)
            }
            let removed = min(expected.count + 1, Int.random(in: 0...growth, using: &generator))
            for _ in 0..<removed { #expect(queue.popFirst() == (expected.isEmpty ? nil : expected.removeFirst())) }
            #expect(queue.isEmpty == expected.isEmpty)
            #expect(queue.first ?? nil == expected.first)
        }
        queue.removeAll()
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }

    @Test("A FIFO keeps nothing of a removed element")
    func removed() {
        final class Command {}
        var queue = FIFO<Command?>()
        var command: Command? = Command()
        weak let reference = command
        queue.append(command)
        queue.append(Command())
        command = nil
        #expect(reference != nil)
        _ = queue.popFirst()
        #expect(reference == nil && !queue.isEmpty)
    }

    @Test("A FIFO of bytes gives every byte once, in order")
    func output() {
        var generator = SeededGenerator(seed: 1)
        var buffer = FIFO<UInt8>()
        var appended: [UInt8] = []
        var written: [UInt8] = []
        for round in 0..<60 {
            let part = [UInt8](repeating: UInt8(round), count: Int.random(in: 0...200_000, using: &generator))
            buffer.append(contentsOf: part)
            appended += part
            let pending = buffer.withBytes { Array($0) }
            let count = round == 59 ? pending.count : Int.random(in: 0...pending.count, using: &generator)
            written += pending.prefix(count)
            buffer.removeFirst(count)
            #expect(buffer.isEmpty == (count == pending.count))
        }
        #expect(written == appended)
        buffer.removeFirst(1)
        #expect(buffer.isEmpty)
    }
}
