import RedisClient
import SharedState
import TestSupport
import Testing

/// Replies that no operation of the store has, as a broken server may send them.
@Suite("Replies of a store")
struct StoreRepliesTests {
    private static let numbers = [
        0, 1, -1, 2, 16_383, 16_384, 3600, 1 << 31, 1 << 53, .max, .min, .max - 1, 9_223_372_036_854_775,
    ]

    private static func reply(_ generator: inout SeededGenerator, depth: Int = 3) -> RedisReply {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: .null
        case 1: .status(["OK", "", "PONG"].randomElement(using: &generator) ?? "")
        case 2: .integer(numbers.randomElement(using: &generator) ?? 0)
        case 3:
            .string(
                (0..<Int.random(in: 0...20, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
            )
        case 4: .string(Array(String(numbers.randomElement(using: &generator) ?? 0).utf8))
        default: .array((0..<Int.random(in: 0...8, using: &generator)).map { _ in reply(&generator, depth: depth - 1) })
        }
    }

    @Test("replies of any form and number are converted or refused", arguments: 1...20 as ClosedRange<UInt64>)
    func any(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let reply = Self.reply(&generator)
            _ = StoreReplies.commit(reply)
            _ = StoreReplies.log(reply.elements ?? [])
            _ = StoreReplies.flag(reply)
            _ = StoreReplies.count(reply)
            _ = SlotMap(reply, from: "h")
            var greeting = Greeting(try RedisURL("redis://h"))
            for _ in 0..<3 { _ = try? greeting.take(reply) }
        }
    }

    @Test("a counted call has numbers that can be added to")
    func count() {
        let good = [1, 7, 480_000, 1800]
        func changed(_ index: Int, _ number: Int) -> RedisReply {
            .array(good.enumerated().map { .integer($0.offset == index ? number : $0.element) })
        }
        #expect(StoreReplies.count(changed(1, 7))?.count == HourlyCount(hour: 480_000, used: 7))
        for (index, number) in [(0, -1), (0, 2), (1, -1), (1, .max), (2, 0), (2, .max), (3, 0), (3, 3601)] {
            #expect(StoreReplies.count(changed(index, number)) == nil, "\(index): \(number)")
        }
        #expect(StoreReplies.count(.array([.integer(1), .integer(7)])) == nil)
        #expect(StoreReplies.count(.array(good.map { .string(Array(String($0).utf8)) })) == nil)
    }
}
