import Primitives
import Testing

@Suite("Pending results", .timeLimit(.minutes(1)))
struct PendingResultTests {
    @Test("a value is received, whether it comes before the wait or after")
    func delivery() async {
        let early = PendingResult<Int>()
        #expect(early.deliver(1))
        #expect(await early.value(cancelled: -1) == 1)
        for _ in 0..<100 {
            let late = PendingResult<Int>()
            async let value = late.value(cancelled: -1)
            #expect(late.deliver(2))
            #expect(await value == 2)
        }
    }

    @Test("only the first value counts")
    func once() async {
        let result = PendingResult<Int>()
        #expect(result.deliver(1))
        #expect(!result.deliver(2))
        #expect(await result.value(cancelled: -1) == 1)
        #expect(!result.deliver(3))
    }

    @Test("a cancelled task receives the other value, and a delivery after it is refused")
    func cancellation() async {
        for round in 0..<100 {
            let result = PendingResult<Int>()
            let task = Task { await result.value(cancelled: -1) }
            // Before the wait and during it.
            if round % 2 == 0 { await Task.yield() }
            task.cancel()
            #expect(await task.value == -1)
            #expect(!result.deliver(1))
        }
    }

    @Test("delivery and cancellation at once resume the task once")
    func race() async {
        for round in 0..<500 {
            let result = PendingResult<Int>()
            let task = Task { await result.value(cancelled: -1) }
            let delivery = Task.detached { result.deliver(round) }
            task.cancel()
            let isDelivered = await delivery.value
            #expect(await task.value == (isDelivered ? round : -1))
        }
    }
}
