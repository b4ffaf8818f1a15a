/// The scripts of `RedisStore`, each with one key, so that it runs in a cluster, too.
///
/// If Redis lacks memory or replicas, a script fails at its first write, so no change is made in part. `allow-oom` lets a
/// script run that needs no memory of note.
enum StoreScripts {
    /// Stores a record if the key has none; otherwise returns the present one.
    ///
    /// A key mostly has none, so the record is appended first, and removed again from a list that was there. A full server
    /// refuses that, but may have the record.
    ///
    /// Arguments: the record, the time to live in milliseconds.
    static let create = RedisScript(
        """
        local length = redis.pcall('RPUSH', KEYS[1], ARGV[1])
        if length == 1 then
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return 1
        end
        if type(length) == 'number' then redis.call('LTRIM', KEYS[1], 0, -2) end
        return redis.call('LINDEX', KEYS[1], 0) or length
        """
    )

    /// Replaces a record and changes its log, if the record has the expected version; returns 1.
    ///
    /// Otherwise it changes nothing and returns the present record, or nil if there is none. The list has the record, the
    /// origin and the entries. LTRIM removes the record, the origin and all but two of the entries to drop, which the
    /// origin and the record then replace. It publishes only if a replica listens: each message goes to the replicas of the
    /// server, and in a cluster to all of its shard.
    ///
    /// Arguments: the version, the record, the time to live in milliseconds, the number of entries to drop, or -1 to end the
    /// log, the note for watchers, the origin if it drops entries, and what to append: for the first entry of a log, the
    /// origin comes first. `unpack` is limited by Lua's stack, so elements are appended in parts.
    static let commit = RedisScript(commitSource)

    /// The same script for a commit that ends the log, as a full server can do.
    static let shorten = RedisScript("#!lua flags=allow-oom\n" + commitSource)

    private static let commitSource =
        """
        local key = KEYS[1]
        local head = redis.call('LINDEX', key, 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        local drop = tonumber(ARGV[4])
        local first = 6
        if drop < 0 then
            redis.call('LTRIM', key, 0, 0)
        elseif drop > 0 then
            if drop + 2 > redis.call('LLEN', key) then return redis.error_reply('ERR the log has fewer entries') end
            redis.call('LTRIM', key, drop, -1)
            redis.call('LSET', key, 1, ARGV[6])
            first = 7
        end
        redis.call('LSET', key, 0, ARGV[2])
        for part = first, #ARGV, 1000 do
            redis.call('RPUSH', key, unpack(ARGV, part, math.min(part + 999, #ARGV)))
        end
        redis.call('PEXPIRE', key, ARGV[3])
        if redis.call('PUBSUB', 'SHARDNUMSUB', key)[2] > 0 then redis.call('SPUBLISH', key, ARGV[2] .. ARGV[5]) end
        return 1
        """

    /// Removes a record of a version; the result is that of `commit`.
    ///
    /// An empty message is the end of the record.
    static let remove = RedisScript(
        """
        local head = redis.call('LINDEX', KEYS[1], 0)
        if not head or string.sub(head, 1, 16) ~= ARGV[1] then return head end
        redis.call('DEL', KEYS[1])
        redis.call('SPUBLISH', KEYS[1], '')
        return 1
        """
    )

    /// Replaces or removes a value; returns 0 if it is another one.
    ///
    /// Arguments: the value, and to replace it the next one with its time in milliseconds.
    static let replace = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        if not ARGV[2] then return redis.call('DEL', KEYS[1]) end
        redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
        return 1
        """
    )

    /// Counts a member by the end of its counting as its score; returns 0, or the milliseconds until the next place.
    ///
    /// Members whose counting has ended are removed when their places are needed. GT never shortens a time to live, and sets
    /// none on a new key.
    ///
    /// Arguments: the member, the milliseconds to count, the most members.
    static let share = RedisScript(
        """
        local key, time = KEYS[1], redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local limit, count = tonumber(ARGV[3]), redis.call('ZCARD', key)
        if count >= limit then
            redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
            count = redis.call('ZCARD', key)
            if count >= limit and not redis.call('ZSCORE', key, ARGV[1]) then
                return tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]) - now
            end
        end
        redis.call('ZADD', key, 'GT', now + ARGV[2], ARGV[1])
        if count == 0 then redis.call('PEXPIRE', key, ARGV[2]) else redis.call('PEXPIRE', key, ARGV[2], 'GT') end
        return 0
        """
    )

    /// Grants calls of this hour; returns the number, the calls of the hour, whether the library refuses, the hour, the
    /// seconds until its end, the number of renewals, and the milliseconds for which nothing is granted.
    ///
    /// Arguments: the hour and the count that the caller knows, the news (empty, `out` or `set`), the calls wanted, the most
    /// calls of an hour, the renewals that the caller knows, and the milliseconds for which nothing is granted if there is no
    /// state at all: then the server was possibly emptied, and the replicas report what they know. What the caller knows
    /// counts if it is of this hour and not from before a renewal; if the store has lost a renewal, it is all that counts.
    static let grant = RedisScript(
        """
        #!lua flags=allow-oom
        local time = redis.call('TIME')
        local hour = math.floor(time[1] / 3600)
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local state = redis.call('HMGET', KEYS[1], 'hour', 'used', 'out', 'renewals', 'hold')
        local used, out, renewals, hold = 0, 0, 0, now + tonumber(ARGV[7])
        -- A clock that was set back must not make it longer.
        if state[1] then hold = math.min(hold, tonumber(state[5])) end
        if tonumber(state[1]) == hour then
            used, out, renewals = tonumber(state[2]), tonumber(state[3]), tonumber(state[4])
        end
        local known, count = tonumber(ARGV[6]), tonumber(ARGV[2])
        if tonumber(ARGV[1]) == hour and known >= renewals then
            if ARGV[3] == 'set' then
                used, out, renewals = count, 0, known + 1
            else
                if known > renewals then used, out, renewals = 0, 0, known end
                used = math.max(used, count)
                if ARGV[3] == 'out' then out = 1 end
            end
        end
        local granted = (out == 1 or now < hold) and 0 or math.max(0, math.min(tonumber(ARGV[4]), tonumber(ARGV[5]) - used))
        redis.call('HSET', KEYS[1], 'hour', hour, 'used', used + granted, 'out', out, 'renewals', renewals, 'hold', hold)
        redis.call('EXPIRE', KEYS[1], 7200)
        return {granted, used + granted, out, hour, 3600 - time[1] % 3600, renewals, math.max(0, hold - now)}
        """
    )
}
