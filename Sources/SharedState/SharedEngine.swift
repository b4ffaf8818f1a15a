package import Primitives

/// A store outside the process, which several replicas of the service share.
///
/// It stores values under keys. Every write names the version on which its writer decided, and the engine compares it in
/// the same step. So a writer with an old copy changes nothing and gets the present value.
///
/// A value has a log: a list of entries, to which a write appends and from which it drops the oldest. The engine does
/// not interpret values and entries.
///
/// Every call waits for the engine. If the caller's task is cancelled, a call throws `cancelled` at once.
package protocol SharedEngine: Sendable {
    /// Stores a value with an empty log, unless the key has a value.
    ///
    /// After an unknown outcome `create` can be called again: the version of an existing value shows which caller
    /// stored it.
    func create(
        _ key: SharedKey,
        _ value: SharedValue,
        timeToLive: Duration
    ) async throws(SharedStateError) -> SharedCreation

    /// Returns the value of a key; nil if it has none.
    func read(_ key: SharedKey) async throws(SharedStateError) -> SharedValue?

    /// Returns the value of a key with its log, both at one moment; nil if it has none.
    func readWithLog(_ key: SharedKey) async throws(SharedStateError) -> SharedEntry?

    /// Replaces the value of a key and changes its log, if the present version is `write.base`.
    ///
    /// The time to live starts again, and watchers get the new value. The engine does all of it or nothing.
    func exchange(_ key: SharedKey, _ write: SharedWrite) async throws(SharedStateError) -> SharedExchange

    /// Deletes a value with its log, if the present version is `base`. Watchers get `deleted`.
    func delete(_ key: SharedKey, base: SharedVersion) async throws(SharedStateError) -> SharedExchange

    /// Starts to watch a key: `receive` gets every event of it until the watch ends.
    ///
    /// A thread of the engine calls `receive`, one call after the other; it must return quickly. Any number of
    /// watches may have the same key.
    func watch(_ key: SharedKey, _ receive: @escaping @Sendable (SharedEvent) -> Void) -> SharedWatch

    /// Ends a watch; a call of `receive` that has begun continues.
    func unwatch(_ watch: SharedWatch)

    /// Returns the number of keys without auxiliary ones, and the memory of the engine.
    func usage() async throws(SharedStateError) -> SharedUsage

    /// The time of the engine, which all replicas share: its time at the last connect, and a monotonic clock since then.
    var now: WallTime { get }

    /// The state of the connection to the engine.
    var status: SharedStatus { get }
}
