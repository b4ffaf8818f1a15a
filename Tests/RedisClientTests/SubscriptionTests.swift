import Primitives
import Testing

@testable import RedisClient

/// Tests the replies and messages on the connection for subscriptions.
@Suite("Subscriptions")
struct SubscriptionTests {
    private let round = Round()
    private let queue: CommandQueue

    init() {
        queue = CommandQueue(round: round, isForChannels: true)
    }

    private func reply(_ words: String...) -> RedisReply { .array(words.map { .string(Array($0.utf8)) }) }

    /// Opens the connection with some channels.
    private func open(_ channels: String...) {
        for channel in channels { queue.subscribe(channel, now: .now) }
        #expect(queue.output.isEmpty)
        queue.opened(ServerFacts(), now: .now)
        #expect(queue.output.isEmpty == channels.isEmpty)
    }

    private func events() -> [String] {
        defer { round.events = [] }
        return round.events.map { channel, kind, _ in
            switch kind {
            case .watch(let event): "\(channel) \(event)"
            case .moved: "\(channel) moved"
            case .refused(let fault): "\(channel) refused(\"\(fault.text)\")"
            }
        }
    }

    private func receive(_ reply: RedisReply) -> ConnectionFailure? { queue.receive(reply, now: .now) }

    @Test("Only the reply to the last command for a channel tells that it is ready")
    func lastReply() {
        open("a")
        queue.unsubscribe("a", now: .now)
        queue.subscribe("a", now: .now)
        #expect(receive(reply("ssubscribe", "a", "1")) == nil)
        #expect(receive(reply("sunsubscribe", "a", "0")) == nil)
        #expect(events() == [])
        #expect(receive(reply("ssubscribe", "a", "1")) == nil)
        #expect(events() == ["a ready"])
        #expect(queue.owedSince == nil)
    }

    @Test("Messages are events, and owe no reply")
    func messages() {
        open("a")
        #expect(receive(reply("smessage", "a", "x")) == nil)
        #expect(queue.owedSince != nil)
        #expect(receive(reply("ssubscribe", "a", "1")) == nil)
        #expect(receive(reply("smessage", "a", "y")) == nil)
        #expect(receive(reply("smessage", "a", "")) == nil)
        #expect(events() == ["a written([120])", "a ready", "a written([121])", "a deleted"])
    }

    @Test("PING has a reply of either form")
    func ping() {
        open()
        for pong in [RedisReply.status("PONG"), reply("pong", "")] {
            queue.ping(now: .now)
            #expect(queue.owedSince != nil)
            #expect(receive(pong) == nil)
            #expect(queue.owedSince == nil)
        }
    }

    @Test("A refused subscription is reported, and other commands continue")
    func refused() {
        open("a")
        #expect(receive(.error(RedisFault("NOPERM x"))) == nil)
        #expect(events() == ["a refused(\"NOPERM x\")"])
        #expect(receive(.error(RedisFault("ERR x"))) == .malformed("a reply without a command"))
    }

    @Test("A lost connection interrupts, and the next one subscribes again")
    func interrupted() {
        open("a")
        queue.closed(.closed)
        queue.closed(.closed)
        #expect(events() == [])
        #expect(queue.owedSince == nil)
        queue.output.removeAll()
        queue.opened(ServerFacts(), now: .now)
        let sent = String(decoding: queue.output, as: UTF8.self)
        #expect(sent == "*2\r\n$10\r\nSSUBSCRIBE\r\n$1\r\na\r\n")
        #expect(receive(reply("ssubscribe", "a", "1")) == nil)
        #expect(events() == ["a ready"])
    }

    @Test("A channel whose slot has moved is lost, and the connection goes on")
    func moved() {
        open("a")
        #expect(receive(reply("ssubscribe", "a", "1")) == nil)
        // Unasked, when the slot is assigned to another server.
        #expect(receive(reply("sunsubscribe", "a", "0")) == nil)
        #expect(events() == ["a ready", "a moved"])
        queue.subscribe("c", now: .now)
        #expect(receive(.error(RedisFault("MOVED 7365 127.0.0.1:1"))) == nil)
        #expect(events() == ["c moved"])
        queue.subscribe("d", now: .now)
        #expect(receive(reply("ssubscribe", "d", "1")) == nil)
        #expect(events() == ["d ready"])
        queue.unsubscribe("d", now: .now)
        // A former owner refuses the end of a subscription.
        #expect(receive(.error(RedisFault("MOVED 7365 127.0.0.1:1"))) == nil)
        #expect(events() == [])
        #expect(queue.owedSince == nil)
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
            let queue = CommandQueue(round: round, isForChannels: true)
            queue.opened(ServerFacts(), now: .now)
            queue.subscribe("a", now: .now)
            guard case .malformed = queue.receive(reply, now: .now) else {
                Issue.record("\(reply) is accepted")
                continue
            }
        }
    }
}

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
