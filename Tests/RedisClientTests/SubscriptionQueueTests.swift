import Primitives
import Testing

@testable import RedisClient

/// Tests the replies on the connection for subscriptions.
@Suite("Subscriptions")
struct SubscriptionQueueTests {
    private func reply(_ words: String...) -> RedisReply { .array(words.map { .string(Array($0.utf8)) }) }

    /// A table on an open connection with some channels.
    private func table(_ channels: String...) -> SubscriptionQueue {
        let table = SubscriptionQueue()
        var output = OutputBuffer()
        for channel in channels { table.subscribe(channel, &output, now: .now) }
        #expect(output.isEmpty)
        table.opened(ServerFacts(), &output, now: .now)
        #expect(output.isEmpty == channels.isEmpty)
        return table
    }

    private func events(_ table: SubscriptionQueue) -> [String] {
        table.takeEvents().map { channel, kind in
            if case .refused(let fault) = kind { return "\(channel) refused(\"\(fault.text)\")" }
            return "\(channel) \(kind)"
        }
    }

    private func take(_ table: SubscriptionQueue, _ reply: RedisReply) -> ConnectionFailure? {
        var output = OutputBuffer()
        return table.take(reply, &output, now: .now)
    }

    @Test("Only the reply to the last command for a channel tells that it is subscribed")
    func lastReply() {
        let table = table("a")
        var output = OutputBuffer()
        table.unsubscribe("a", &output, now: .now)
        table.subscribe("a", &output, now: .now)
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(take(table, reply("sunsubscribe", "a", "0")) == nil)
        #expect(events(table) == [])
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(events(table) == ["a subscribed"])
        #expect(table.owedSince == nil)
    }

    @Test("Messages of unsubscribed channels are dropped")
    func unwanted() {
        let table = table("a")
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(take(table, reply("smessage", "a", "x")) == nil)
        #expect(take(table, reply("smessage", "b", "x")) == nil)
        #expect(events(table) == ["a subscribed", "a message([120])"])
    }

    @Test("PING has a reply of either form")
    func ping() {
        let table = table()
        for pong in [RedisReply.status("PONG"), reply("pong", "")] {
            var output = OutputBuffer()
            table.ping(&output, now: .now)
            #expect(table.owedSince != nil)
            #expect(take(table, pong) == nil)
            #expect(table.owedSince == nil)
        }
    }

    @Test("A refused subscription is reported, and other commands continue")
    func refused() {
        let table = table("a")
        #expect(take(table, .error(RedisFault("NOPERM x"))) == nil)
        #expect(events(table) == ["a refused(\"NOPERM x\")"])
        #expect(take(table, .error(RedisFault("ERR x"))) == .refused(RedisFault("ERR x")))
    }

    @Test("A lost connection interrupts, and the next one subscribes again")
    func interrupted() {
        let table = table("a")
        table.closed(.closed)
        table.closed(.closed)
        #expect(events(table) == [])
        #expect(table.owedSince == nil)
        var output = OutputBuffer()
        table.opened(ServerFacts(), &output, now: .now)
        #expect(output.withPending { String(decoding: $0, as: UTF8.self) } == "*2\r\n$10\r\nSSUBSCRIBE\r\n$1\r\na\r\n")
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(events(table) == ["a subscribed"])
    }

    @Test("A channel whose slot has moved is lost, and the connection goes on")
    func moved() {
        let table = table("a")
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        // Unasked, when the slot is assigned to another server.
        #expect(take(table, reply("sunsubscribe", "a", "0")) == nil)
        #expect(events(table) == ["a subscribed", "a moved"])
        var output = OutputBuffer()
        table.subscribe("c", &output, now: .now)
        #expect(take(table, .error(RedisFault("MOVED 7365 127.0.0.1:1"))) == nil)
        #expect(events(table) == ["c moved"])
        table.subscribe("d", &output, now: .now)
        #expect(take(table, reply("ssubscribe", "d", "1")) == nil)
        #expect(events(table) == ["d subscribed"])
        table.unsubscribe("d", &output, now: .now)
        // A former owner refuses the end of a subscription.
        #expect(take(table, .error(RedisFault("MOVED 7365 127.0.0.1:1"))) == nil)
        #expect(events(table) == [])
        #expect(table.owedSince == nil)
    }

    @Test("Replies of another form close the connection")
    func malformed() {
        let replies: [RedisReply] = [
            .status("OK"), .integer(1), .null, .array([]), .array([.integer(1)]), reply("smessage", "a"),
            .array([.string(Array("smessage".utf8)), .string([97]), .integer(1)]), reply("pong", ""),
            .array([.string(Array("ssubscribe".utf8)), .null, .integer(1)]),
            .array([.string(Array("sunsubscribe".utf8)), .null, .integer(1)]), reply("other", "a", "b"),
        ]
        for reply in replies {
            guard case .malformed = take(table("a"), reply) else {
                Issue.record("\(reply) is accepted")
                continue
            }
        }
    }
}
