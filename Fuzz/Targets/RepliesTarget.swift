import Primitives
import SharedState

@testable import RedisClient

/// Reads bytes as the replies of a Redis server, whole and divided, and converts each reply to the results of all operations.
///
/// The first byte is the size of the parts.
@Sendable
func fuzzReplies(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let size = Int(input.byte()) + 1
    let rest = input.rest()
    let whole = replies(rest, partSize: max(1, rest.count))
    let divided = replies(rest, partSize: size)
    require(whole.isComplete == divided.isComplete, "the division decides whether the bytes are malformed")
    // Both have the replies before the fault.
    require(whole.replies == divided.replies, "the division changes the replies")
    var elements = 0
    for reply in whole.replies {
        elements += count(reply)
        convert(reply)
    }
    require(elements <= rest.count, "\(rest.count) bytes have \(elements) replies")
}

/// Returns the replies before the end or a fault, and whether there was no fault.
private func replies(_ bytes: [UInt8], partSize: Int) -> (replies: [RedisReply], isComplete: Bool) {
    let reader = ReplyReader()
    var replies: [RedisReply] = []
    do {
        var position = 0
        while position < bytes.count {
            let end = min(position + partSize, bytes.count)
            try bytes[position..<end].withUnsafeBytes { try reader.feed($0) }
            while let reply = try reader.next() { replies.append(reply) }
            position = end
        }
    } catch {
        return (replies, false)
    }
    return (replies, true)
}

/// Returns the number of a reply's elements, itself included.
private func count(_ reply: RedisReply) -> Int {
    1 + (reply.elements ?? []).reduce(0) { $0 + count($1) }
}

/// Converts a reply as every operation does.
///
/// A conversion may refuse the reply; it must not end the process, and its numbers must be in their ranges.
private func convert(_ reply: RedisReply) {
    _ = StoreReplies.commit(reply)
    _ = StoreReplies.log(reply.elements ?? [])
    _ = StoreReplies.flag(reply)
    if let call = StoreReplies.count(reply) {
        require(call.count.used + 1 > 0 && 1...3600 ~= call.secondsLeft, "\(call)")
    }
    if let map = SlotMap(reply, from: "host") {
        for owner in map.owners { require(owner.slots.upperBound < KeySlot.count, "the slots \(owner.slots)") }
    }
    if case .error(let fault) = reply { _ = Redirection(fault, from: "host") }
    let round = Round()
    // The events of a round refer to the queue, which refers to the round.
    defer { round.endOfInput() }
    let queue = CommandQueue(round: round, isForChannels: true)
    queue.opened(ServerFacts(), now: .now)
    queue.subscribe("a", now: .now)
    _ = queue.receive(reply, now: .now)
    guard let url = try? RedisURL("redis://h") else { fail("a URL is refused") }
    var greeting = Greeting(url)
    _ = try? greeting.take(reply)
}
