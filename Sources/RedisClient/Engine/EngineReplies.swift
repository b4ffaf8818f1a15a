package import Primitives
package import SharedState

/// Converts the replies of the engine's commands; nil for a reply that no such command has.
package enum EngineReplies {
    /// The largest number of keys, and of bytes: sums of several servers do not overflow.
    private static let largestCount = 1 << 53
    /// The last moment that is accepted, in milliseconds: the end of the year 9999.
    private static let lastMoment = 253_402_300_799_999

    /// The usage of the server, and its time.
    package static func usage(_ keys: RedisReply, _ memory: ServerInformation?) -> (SharedUsage, WallTime)? {
        guard let numbers = keys.elements, numbers.count == 2,
            let count = StoreReplies.number(numbers[0], in: -largestCount...largestCount),
            let time = StoreReplies.number(numbers[1], in: 0...lastMoment),
            let bytes = number(memory?["used_memory"])
        else { return nil }
        let limit = number(memory?["maxmemory"]) ?? 0
        // An entry of the sorted set may be left of a key that has ended, so the count may be too low.
        let usage = SharedUsage(keys: max(0, count), bytes: bytes, maxBytes: limit > 0 ? limit : nil)
        return (usage, WallTime(milliseconds: time))
    }

    private static func number(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { 0...largestCount ~= $0 ? $0 : nil }
    }
}
