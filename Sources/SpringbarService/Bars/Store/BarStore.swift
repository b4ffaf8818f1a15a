package import HTTPExchange
package import Primitives

/// A store of bars.
///
/// A write is atomic: it is made only if the stored revision is still the one on which its operation decided. Otherwise
/// the operation decides again. So several replicas could share one store.
package protocol BarStore: Sendable {
    /// Stores a new bar; returns its id, or that of the bar that `key` created earlier from the same content.
    ///
    /// An earlier bar gets the end of `record`. A client of nil, which is not known, has no share.
    ///
    /// - Throws: `full`, `clientShare` or `keyReused`.
    func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        client: ClientKey?,
        now: WallTime
    ) throws(BarSessionError) -> BarID

    /// Returns the record of a bar; nil if there is none or it has expired.
    func load(_ id: BarID, now: WallTime) -> BarRecord?

    /// Returns the record and the log of a bar at one moment; nil if there is none or it has expired.
    func loadWithLog(_ id: BarID, now: WallTime) -> (record: BarRecord, log: BarLog)?

    /// Lets an operation decide on its bar, and carries out the decision; returns that decision.
    ///
    /// - Throws: `notFound`, `full`, `clientShare`, `contended`, or the error of the operation.
    func perform(_ operation: any BarOperation, now: WallTime) throws -> BarDecision

    /// Removes the bars that have expired; returns their ids.
    func expire(now: WallTime) -> [BarID]

    /// The number and the size of the bars.
    var statistics: BarStatistics { get }
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
