package import SharedState

/// Converts the replies of the store's commands; nil for a reply that no such command has.
///
/// A server that is broken, or is no Redis, may reply anything. Every number has a range where it enters, and nothing else
/// of the service converts one.
package enum StoreReplies {
    package static func commit(_ reply: RedisReply) -> CommitResult? {
        switch reply {
        case .integer(1): .done
        case .null: .missing
        default: record(reply).map { .conflict($0) }
        }
    }

    /// A record, which begins with its version.
    package static func record(_ reply: RedisReply) -> [UInt8]? {
        guard let bytes = reply.bytes, bytes.count >= RecordVersion.byteCount else { return nil }
        return bytes
    }

    /// The elements of a record with its log, of at least one.
    package static func log(_ elements: [RedisReply]) -> LoggedRecord? {
        guard let first = elements.first, let record = record(first) else { return nil }
        let log = elements.dropFirst().compactMap(\.bytes)
        guard log.count == elements.count - 1 else { return nil }
        return LoggedRecord(record, start: log.first, entries: Array(log.dropFirst()))
    }

    /// Whether a script has done what it is for.
    package static func flag(_ reply: RedisReply) -> Bool? { number(reply, in: 0...1).map { $0 == 1 } }

    /// A call of the library that was counted or refused.
    package static func count(_ reply: RedisReply) -> CountedCall? {
        guard let elements = reply.elements, elements.count == 4,
            let isAllowed = flag(elements[0]),
            let used = number(elements[1], in: 0...1 << 31),
            // Until the year 9999.
            let hour = number(elements[2], in: 1...253_402_300_799 / 3600),
            let secondsLeft = number(elements[3], in: 1...3600)
        else { return nil }
        let count = HourlyCount(hour: hour, used: used)
        return CountedCall(isAllowed: isAllowed, count: count, secondsLeft: secondsLeft)
    }

    static func number(_ reply: RedisReply, in range: ClosedRange<Int>) -> Int? {
        guard case .integer(let number) = reply, range.contains(number) else { return nil }
        return number
    }
}
