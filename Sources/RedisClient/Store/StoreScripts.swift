/// The scripts of `RedisStore`, each with one key, so that it runs in a cluster, too.
///
/// If Redis lacks memory or replicas, a script fails at its first write, so no change is made in part. `allow-oom` lets a
/// script run that needs no memory of note.
enum StoreScripts {
    /// Stores a record if the key has none; otherwise returns the present one.
    ///
    /// Arguments: the record, the time to live in milliseconds.
    static let create = RedisScript(
        """
        local head = redis.call('LINDEX', KEYS[1], 0)
        if head then return head end
        redis.call('RPUSH', KEYS[1], ARGV[1])
        redis.call('PEXPIRE', KEYS[1], ARGV[2])
        return 1
        """
    )

    /// Replaces a record and changes its log, if the record has the expected version; returns 1.
    ///
    /// Otherwise it changes nothing and returns the present record, or nil if there is none. The list has the record, the
    /// start and the entries. LTRIM removes the record, the start and all but two of the entries to drop, which the
    /// start and the record then replace. It publishes only if a replica listens: each message goes to the replicas of the
    /// server, and in a cluster to all of its shard.
    ///
    /// Arguments: the version, the record, the time to live in milliseconds, the number of entries to drop, or -1 to end the
    /// log, what watchers get besides the record, the start if it drops entries, and what to append: for the first entry of a log, the
    /// start comes first. `unpack` is limited by Lua's stack, so elements are appended in parts.
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

    /// Counts a member by the end of its counting as its score; returns 0 if there is no place.
    ///
    /// GT never shortens a time to live, and sets none on a new key; NX does that.
    ///
    /// Arguments: the member, the milliseconds to count, the most members.
    static let share = RedisScript(
        """
        local key, time = KEYS[1], redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
        if redis.call('ZCARD', key) >= tonumber(ARGV[3]) and not redis.call('ZSCORE', key, ARGV[1]) then return 0 end
        redis.call('ZADD', key, 'GT', now + ARGV[2], ARGV[1])
        redis.call('PEXPIRE', key, ARGV[2], 'GT')
        redis.call('PEXPIRE', key, ARGV[2], 'NX')
        return 1
        """
    )

    /// Counts a call of this hour; returns whether it is allowed, the calls of the hour, the hour, and the seconds until its
    /// end, when the count ends.
    ///
    /// Arguments: the hour and the count that the caller knows, and the most calls of an hour.
    static let count = RedisScript(
        """
        #!lua flags=allow-oom
        local time = redis.call('TIME')
        local hour, left = math.floor(time[1] / 3600), 3600 - time[1] % 3600
        local used = tonumber(redis.call('GET', KEYS[1])) or 0
        if tonumber(ARGV[1]) == hour then used = math.max(used, tonumber(ARGV[2])) end
        local allowed = used < tonumber(ARGV[3]) and 1 or 0
        redis.call('SET', KEYS[1], used + allowed, 'EX', left)
        return {allowed, used + allowed, hour, left}
        """
    )
}
