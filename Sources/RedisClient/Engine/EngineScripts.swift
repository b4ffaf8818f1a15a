/// The scripts of `RedisEngine`.
///
/// If Redis lacks memory or replicas, a script fails at its first write, so no change is made in part.
/// Redis runs scripts one after the other.
enum EngineScripts {
    /// Stores a value if the key has none; otherwise returns the present value.
    ///
    /// Arguments: the value, the time to live in milliseconds.
    static let create = RedisScript(
        """
        local head = redis.call('LINDEX', KEYS[1], 0)
        if head then return head end
        redis.call('RPUSH', KEYS[1], ARGV[1])
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        return 1
        """
    )

    /// Replaces a value and changes its log, if the value has the expected version; returns 1.
    ///
    /// Otherwise it changes nothing and returns the present value, or nil if there is none.
    ///
    /// Arguments: the version, the value, the time to live in milliseconds, the number of entries to drop, the note for
    /// watchers, and the entries to append. LTRIM removes the old value and all but one of the entries to drop; LSET
    /// writes the new value over the last one. `unpack` is limited by Lua's stack, so entries are appended in parts.
    static let exchange = RedisScript(
        """
        local key = KEYS[1]
        local head = redis.call('LINDEX', key, 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        local drop = tonumber(ARGV[4])
        if drop > 0 then
            if drop >= redis.call('LLEN', key) then return redis.error_reply('ERR the log has fewer entries') end
            redis.call('LTRIM', key, drop, -1)
        end
        redis.call('LSET', key, 0, ARGV[2])
        for first = 6, #ARGV, 1000 do
            redis.call('RPUSH', key, unpack(ARGV, first, math.min(first + 999, #ARGV)))
        end
        redis.call('PEXPIRE', key, ARGV[3])
        redis.call('PUBLISH', key, 'w' .. ARGV[2] .. ARGV[5])
        return 1
        """
    )

    /// Deletes a value of a version; the result is as that of `exchange`.
    static let delete = RedisScript(
        """
        local head = redis.call('LINDEX', KEYS[1], 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        redis.call('DEL', KEYS[1])
        redis.call('PUBLISH', KEYS[1], 'd')
        return 1
        """
    )
}
