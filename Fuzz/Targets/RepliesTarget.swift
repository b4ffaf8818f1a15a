@testable import RedisClient

/// Reads bytes as the replies of a Redis server, whole and divided.
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
    for reply in whole.replies { elements += count(reply) }
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
