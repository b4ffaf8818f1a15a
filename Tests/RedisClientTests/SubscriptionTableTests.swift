import Primitives
import Testing

@testable import RedisClient

/// Tests the replies on the connection for subscriptions.
@Suite("Subscriptions")
struct SubscriptionTableTests {
    private func reply(_ words: String...) -> RedisReply { .array(words.map { .string(Array($0.utf8)) }) }

    /// A table on an open connection with some channels.
    private func table(_ channels: String...) -> SubscriptionTable {
        let table = SubscriptionTable()
        var output = OutputBuffer()
        for channel in channels { table.apply(.init(channel: channel, isSubscribed: true), &output) }
        #expect(output.isEmpty)
        table.opened(ServerFacts(), &output)
        #expect(output.isEmpty == channels.isEmpty)
        return table
    }

    private func take(_ table: SubscriptionTable, _ reply: RedisReply) -> ConnectionFailure? {
        var output = OutputBuffer()
        return table.take(reply, &output, now: .now)
    }

    @Test("Only the reply to the last command for a channel tells that it is subscribed")
    func lastReply() {
        let table = table("a")
        var output = OutputBuffer()
        table.apply(.init(channel: "a", isSubscribed: false), &output)
        table.apply(.init(channel: "a", isSubscribed: true), &output)
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(take(table, reply("sunsubscribe", "a", "0")) == nil)
        #expect(table.takeEvents() == [])
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(table.takeEvents() == [.subscribed(channel: "a")])
        #expect(!table.isOwed)
    }

    @Test("Messages of unsubscribed channels are dropped")
    func unwanted() {
        let table = table("a")
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(take(table, reply("smessage", "a", "x")) == nil)
        #expect(take(table, reply("smessage", "b", "x")) == nil)
        let message = RedisMessage.message(channel: "a", Array("x".utf8))
        #expect(table.takeEvents() == [.subscribed(channel: "a"), message])
    }

    @Test("Events that wait are dropped when the channel leaves the server")
    func left() {
        let table = table("a")
        var output = OutputBuffer()
        table.apply(.init(channel: "b", isSubscribed: true), &output)
        for channel in ["a", "b"] { #expect(take(table, reply("ssubscribe", channel, "1")) == nil) }
        #expect(take(table, reply("smessage", "a", "x")) == nil)
        table.apply(.init(channel: "a", isSubscribed: false), &output)
        #expect(table.takeEvents() == [.subscribed(channel: "b")])
    }

    @Test("PING has a reply of either form")
    func ping() {
        let table = table()
        for pong in [RedisReply.status("PONG"), reply("pong", "")] {
            var output = OutputBuffer()
            table.ping(&output)
            #expect(table.isOwed)
            #expect(take(table, pong) == nil)
            #expect(!table.isOwed)
        }
    }

    @Test("A refused subscription is reported, and other commands continue")
    func refused() {
        let table = table("a")
        #expect(take(table, .error(RedisFault("NOPERM x"))) == nil)
        #expect(table.takeEvents() == [.refused(channel: "a", RedisFault("NOPERM x"))])
        #expect(take(table, .error(RedisFault("ERR x"))) == .refused(RedisFault("ERR x")))
    }

    @Test("A lost connection interrupts, and the next one subscribes again")
    func interrupted() {
        let table = table("a")
        table.closed(.closed)
        table.closed(.closed)
        #expect(table.takeEvents() == [.lost(channel: "a")])
        #expect(!table.isOwed)
        var output = OutputBuffer()
        table.opened(ServerFacts(), &output)
        #expect(output.withPending { String(decoding: $0, as: UTF8.self) } == "*2\r\n$10\r\nSSUBSCRIBE\r\n$1\r\na\r\n")
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        #expect(table.takeEvents() == [.subscribed(channel: "a")])
    }

    @Test("A channel whose slot has moved is lost, and the connection goes on")
    func moved() {
        let table = table("a")
        #expect(take(table, reply("ssubscribe", "a", "1")) == nil)
        // Unasked, when the slot is assigned to another server.
        #expect(take(table, reply("sunsubscribe", "a", "0")) == nil)
        #expect(table.takeEvents() == [.subscribed(channel: "a"), .lost(channel: "a")])
        #expect(!table.has("a"))
        var output = OutputBuffer()
        table.apply(.init(channel: "c", isSubscribed: true), &output)
        #expect(take(table, .error(RedisFault("MOVED 7365 127.0.0.1:1"))) == nil)
        #expect(table.takeEvents() == [.lost(channel: "c")])
        table.apply(.init(channel: "d", isSubscribed: true), &output)
        #expect(take(table, reply("ssubscribe", "d", "1")) == nil)
        table.apply(.init(channel: "d", isSubscribed: false), &output)
        // A former owner refuses the end of a subscription.
        #expect(take(table, .error(RedisFault("MOVED 7365 127.0.0.1:1"))) == nil)
        #expect(table.takeEvents() == [])
        #expect(!table.isOwed)
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
