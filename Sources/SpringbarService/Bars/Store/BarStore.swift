package import HTTPExchange
package import Primitives
package import SharedState

/// A store of bars.
///
/// A write is atomic: it is made only if the stored revision is still the one on which its operation decided. Otherwise
/// the operation decides again. So several replicas can share one store.
///
/// A store in memory answers `.now`, and the caller informs the observers. A shared store answers `.later` and informs the
/// observers itself, because other replicas write, too.
package protocol BarStore: Sendable {
    /// Stores a new bar; returns its id, or that of the bar that `key` created earlier from the same content.
    ///
    /// An earlier bar gets the end of `record`. A client of nil, which is not known, has no share.
    ///
    /// - Throws: `full`, `clientShare`, `keyReused` or `unavailable`.
    func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        client: ClientKey?,
        now: WallTime
    ) throws -> Promised<BarID>

    /// Returns the record of a bar.
    ///
    /// - Throws: `notFound` if there is none or it has expired, or `unavailable`.
    func load(_ id: BarID, now: WallTime) throws -> Promised<BarRecord>

    /// Returns the record and the log of a bar at one moment.
    ///
    /// - Throws: `notFound` if there is none or it has expired, or `unavailable`.
    func loadWithLog(_ id: BarID, now: WallTime) throws -> Promised<LoggedBar>

    /// Lets an operation decide on its bar, and carries out the decision; returns that decision.
    ///
    /// - Throws: `notFound`, `full`, `clientShare`, `contended`, `unavailable`, or the error of the operation.
    func perform(_ operation: any BarOperation, now: WallTime) throws -> Promised<BarDecision>

    /// Removes the bars that have expired; returns their ids.
    func expire(now: WallTime) -> [BarID]

    /// Begins to inform the observers of a bar about the writes of other replicas; returns the function that ends it.
    func watch(_ id: BarID) -> @Sendable () -> Void

    /// The number and the size of the bars.
    var statistics: BarStatistics { get }

    /// The state of the connection to a shared store, and its counters; nil for a store in memory.
    var shared: SharedStoreStatus? { get }
}

/// The state of a shared store as a replica sees it.
package struct SharedStoreStatus: Sendable, Equatable {
    package var engine: SharedStatus
    /// The writes that were refused because another write had come first.
    package var conflicts: Int
    /// The states and messages that could not be read.
    package var unreadable: Int
    /// The bars whose streams ended because they went back.
    package var resets: Int
}

/// The record and the log of a bar.
package struct LoggedBar: Sendable {
    package let record: BarRecord
    package let log: BarLog
}

/// The idempotency key of a creation, with a fingerprint of its content.
package struct CreationKey: Sendable, Hashable {
    let key: IdempotencyKey
    let fingerprint: UInt64

    init(_ key: IdempotencyKey, content: [UInt8]) {
        self.key = key
        // A client that constructs two contents with one fingerprint only gets its own first bar for the second one.
        fingerprint = SipHash.hash(content)
    }
}

/// The origin of a bar: the shares to release at its end.
struct BarOrigin: Sendable {
    /// The key that created the bar; nil without one.
    let key: IdempotencyKey?
    /// The client whose share the bar counts for; nil without shares.
    let client: ClientKey?
}

/// The number and the size of the bars in a store.
package struct BarStatistics: Sendable, Equatable {
    package var sessions: Int
    package var maxSessions: Int
    /// The bytes of records and logs, which `SPRINGBAR_SESSION_BYTES` limits.
    package var bytes: Int
    package var maxBytes: Int
}
