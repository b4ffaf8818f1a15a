import SharedState

/// A script for values, and its form for auxiliary ones.
///
/// Redis counts all keys of a database together. Auxiliary keys are therefore in a sorted set as well, by the time of
/// their end, so that the others can be counted in one step. The set is the second key of a call.
struct EngineScript: Sendable {
    private let plain: RedisScript
    private let auxiliary: RedisScript

    /// - Parameters:
    ///   - check: the lines that only read, and return if there is nothing to write.
    ///   - listing: the lines that update the sorted set. They come first: Redis does not undo the writes of a script
    ///     that lacks the permission for a later one.
    ///   - write: the lines that write.
    init(_ check: String, listing: String, write: String) {
        plain = RedisScript(check + "\n" + write + "\nreturn 1")
        auxiliary = RedisScript(check + "\n" + listing + "\n" + write + "\nreturn 1")
    }

    /// Encodes a call for the key of this name.
    func call(_ key: SharedKey, name: RedisWord, list: RedisWord, _ arguments: [RedisWord]) -> RedisCommand {
        key.isCounted
            ? RedisCommand(plain, keys: [name], arguments) : RedisCommand(auxiliary, keys: [name, list], arguments)
    }
}

/// The scripts of `RedisEngine`.
///
/// If Redis lacks memory or replicas, a script fails at its first write, so no change is made in part.
/// Redis runs scripts one after the other.
enum EngineScripts {
    /// Stores a value if the key has none; otherwise returns the present value.
    ///
    /// Arguments: the value, the time to live in milliseconds.
    static let create = EngineScript(
        """
        local head = redis.call('LINDEX', KEYS[1], 0)
        if head then return head end
        """,
        listing: listing(timeToLive: "ARGV[2]"),
        write: """
            redis.call('RPUSH', KEYS[1], ARGV[1])
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            """
    )

    /// Replaces a value and changes its log, if the value has the expected version; returns 1.
    ///
    /// Otherwise it changes nothing and returns the present value, or nil if there is none.
    ///
    /// Arguments: the version, the value, the time to live in milliseconds, the number of entries to drop, the note for
    /// watchers, and the entries to append. LTRIM removes the old value and all but one of the entries to drop; LSET
    /// writes the new value over the last one. `unpack` is limited by Lua's stack, so entries are appended in parts.
    static let exchange = EngineScript(
        """
        local key = KEYS[1]
        local head = redis.call('LINDEX', key, 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        local drop = tonumber(ARGV[4])
        if drop > 0 and drop >= redis.call('LLEN', key) then
            return redis.error_reply('ERR the log has fewer entries')
        end
        """,
        listing: listing(timeToLive: "ARGV[3]"),
        write: """
            if drop > 0 then redis.call('LTRIM', key, drop, -1) end
            redis.call('LSET', key, 0, ARGV[2])
            for first = 6, #ARGV, 1000 do
                redis.call('RPUSH', key, unpack(ARGV, first, math.min(first + 999, #ARGV)))
            end
            redis.call('PEXPIRE', key, ARGV[3])
            redis.call('SPUBLISH', key, ARGV[2] .. ARGV[5])
            """
    )

    /// Replaces a value as `exchange` does and drops its whole log, even if Redis has no memory.
    ///
    /// A script with the flag is not refused for its memory (redis.io/docs/latest/develop/programmability/eval-intro).
    ///
    /// Arguments: the version, the value, the time to live in milliseconds, the note for watchers.
    static let shorten = EngineScript(
        """
        #!lua flags=allow-oom
        local key = KEYS[1]
        local head = redis.call('LINDEX', key, 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        """,
        listing: listing(timeToLive: "ARGV[3]"),
        write: """
            redis.call('LTRIM', key, 0, 0)
            redis.call('LSET', key, 0, ARGV[2])
            redis.call('PEXPIRE', key, ARGV[3])
            redis.call('SPUBLISH', key, ARGV[2] .. ARGV[4])
            """
    )

    /// Deletes a value of a version; the result is as that of `exchange`.
    static let delete = EngineScript(
        """
        local head = redis.call('LINDEX', KEYS[1], 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        """,
        listing: "redis.call('ZREM', KEYS[2], KEYS[1])",
        write: """
            redis.call('DEL', KEYS[1])
            redis.call('SPUBLISH', KEYS[1], '')
            """
    )

    /// Returns the number of keys that are not auxiliary, and the time in milliseconds; the sorted set is the key.
    ///
    /// Keys of other programs count. A key that has ended counts until Redis removes it.
    static let count = RedisScript(
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local count = redis.call('DBSIZE') - redis.call('ZCOUNT', KEYS[1], now + 1, '+inf')
        if redis.call('ZCARD', KEYS[1]) > 0 then count = count - 1 end
        return {count, now}
        """
    )

    /// Returns the lines that enter a key into the sorted set, and remove those that have ended.
    private static func listing(timeToLive: String) -> String {
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('ZADD', KEYS[2], now + \(timeToLive), KEYS[1])
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
        """
    }
}
