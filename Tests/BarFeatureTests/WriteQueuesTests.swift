import Primitives
import TestSupport
import Testing

@testable import BarFeature

@Suite("Queues of writes")
struct WriteQueuesTests {
    private let queues = WriteQueues()
    private let id = BarID(high: 0, low: 1)
    private let log = Shared<[Int]>([])

    @Test("the writes of a bar begin one after the other, in their order")
    func order() {
        for number in 0..<3 { queues.enter(id) { [log] in log.change { $0.append(number) } } }
        #expect(log.current == [0])
        queues.leave(id)
        #expect(log.current == [0, 1])
        queues.leave(id)
        #expect(log.current == [0, 1, 2])
        #expect(queues.count == 1)
        queues.leave(id)
        #expect(queues.count == 0)
    }

    @Test("the writes of two bars begin at one time")
    func twoBars() {
        for number in 0..<2 {
            queues.enter(BarID(high: 0, low: UInt64(number))) { [log] in log.change { $0.append(number) } }
        }
        #expect(log.current == [0, 1])
        #expect(queues.count == 2)
    }

    @Test("a write that ends while it begins lets the next one begin")
    func atOnce() {
        for number in 0..<2 {
            queues.enter(id) { [self] in
                log.change { $0.append(number) }
                queues.leave(id)
            }
        }
        #expect(log.current == [0, 1])
        #expect(queues.count == 0)
    }
}
