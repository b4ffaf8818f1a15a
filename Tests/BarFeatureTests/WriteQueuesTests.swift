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
        let isFirst = (0..<3).map { number in queues.enter(id) { [log] in log.change { $0.append(number) } } }
        #expect(isFirst == [true, false, false])
        #expect(log.current == [])
        queues.leave(id)
        #expect(log.current == [1])
        queues.leave(id)
        #expect(log.current == [1, 2])
        #expect(queues.count == 1)
        queues.leave(id)
        #expect(queues.count == 0)
    }

    @Test("the writes of two bars begin at one time")
    func twoBars() {
        let isFirst = (0..<2).map { number in queues.enter(BarID(high: 0, low: number)) {} }
        #expect(isFirst == [true, true])
        #expect(queues.count == 2)
    }

    @Test("a write that ends while it begins lets the next one begin")
    func atOnce() {
        let isFirst = (0..<3).map { number in
            queues.enter(id) { [self] in
                log.change { $0.append(number) }
                queues.leave(id)
            }
        }
        #expect(isFirst == [true, false, false])
        queues.leave(id)
        #expect(log.current == [1, 2])
        #expect(queues.count == 0)
    }
}
