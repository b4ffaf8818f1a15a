/// The operations that replicas of the service perform in a store outside of the process.
///
/// Each operation has one key, to which the store adds a prefix, and is one step of the store. The store does not interpret
/// records, entries and values.
///
/// An asynchronous call waits for the store. If the caller's task is cancelled, it throws `cancelled` at once.
package protocol SharedStore: Sendable {
    // MARK: Records

    /// Stores a record without a log, unless the key has one.
    ///
    /// A record that exists is a conflict. After an unknown outcome it can be called again: the version of an existing record
    /// shows which caller stored it.
    func create(_ key: String, _ record: [UInt8], timeToLive: Duration) async throws(SharedStateError)
        -> CommitResult

    func read(_ key: String) async throws(SharedStateError) -> [UInt8]?

    /// Returns the record of a key with its log, both at one moment; nil if it has none.
    ///
    /// `limit` is the most entries to read, of the oldest ones.
    func readWithLog(_ key: String, limit: Int) async throws(SharedStateError) -> LoggedRecord?

    /// Replaces the record of a key and changes its log, if the present version is `commit.base`.
    ///
    /// The time to live starts again, and watchers get the record and the broadcast. The store does all of it or nothing.
    func commit(_ key: String, _ commit: Commit) async throws(SharedStateError) -> CommitResult

    /// Removes a record with its log, if the present version is `base`. Watchers get `deleted`.
    func remove(_ key: String, base: RecordVersion) async throws(SharedStateError) -> CommitResult

    /// Starts to watch a record: `receive` gets every event of it until the returned function is called.
    ///
    /// A thread of the store calls `receive`, one call after the other; it must return quickly. Any number of watches may
    /// have the same key. After the end, `receive` may get the events that were on their way.
    func watch(_ key: String, _ receive: @escaping @Sendable (WatchEvent) -> Void) -> @Sendable () -> Void

    // MARK: Values

    /// Stores a value unless the key has one; returns the value that the key had, or nil after it was stored.
    func claim(_ key: String, _ value: [UInt8], timeToLive: Duration) async throws(SharedStateError) -> [UInt8]?

    /// Replaces the value of a key if it is `claim`; returns false if it is another one.
    ///
    /// With the claim itself as the value it extends the claim.
    func replace(_ key: String, claim: [UInt8], with value: [UInt8], timeToLive: Duration)
        async throws(SharedStateError) -> Bool

    /// Removes the value of a key if it is `claim`; returns false if it is another one.
    func release(_ key: String, claim: [UInt8]) async throws(SharedStateError) -> Bool

    func get(_ key: String) async throws(SharedStateError) -> [UInt8]?

    /// Stores values, whatever the keys had.
    func put(_ values: [String: [UInt8]], timeToLive: Duration) async throws(SharedStateError)

    // MARK: Limits

    /// Counts a member of a share for some time, or extends that time; returns false if the share has `limit` other members.
    func share(_ key: String, _ member: [UInt8], for time: Duration, limit: Int) async throws(SharedStateError) -> Bool

    func release(_ key: String, member: [UInt8]) async throws(SharedStateError)

    /// Counts a call of this hour, unless `limit` calls were made; `known` is the count of the caller.
    ///
    /// The store keeps the larger count. So it has the count again after it was emptied, in the same step.
    func count(_ key: String, known: HourlyCount, limit: Int) async throws(SharedStateError) -> CountedCall

    var status: SharedStatus { get }
}
