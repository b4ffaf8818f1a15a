package import HTTPExchange
package import Primitives

/// Where bars are kept.
///
/// Nothing here that a shared store could not do in one round trip: a record is a value, the reducer runs in Swift
/// only, and the one thing that has to be atomic is "if the revision is still r, then put this and append that to the log".
/// So several replicas can serve one bar, and the loser of a race applies its events again to what the winner left.
package protocol BarStore: Sendable {
    /// Puts a new record, unless there is no room, the key has made one already or the client has its share.
    ///
    /// A client of nil, one that is not known, has no share.
    func create(
        _ record: BarRecord,
        as id: BarID,
        key: IdempotencyKey?,
        client: ClientKey?,
        now: WallTime
    ) -> BarCreation

    /// The record; nil when there is none or its time is over.
    func load(_ id: BarID, now: WallTime) -> BarRecord?

    /// The record and its retained log, of one moment.
    func loadWithLog(_ id: BarID, now: WallTime) -> (record: BarRecord, log: BarLog)?

    /// Puts `record` and appends to the log when the stored revision is still `revision`.
    func compareAndSet(
        _ id: BarID,
        revision: Int,
        to record: BarRecord,
        appending addition: BarLog.Addition,
        now: WallTime
    ) -> BarExchange

    /// Lets the bar live on until then, and changes nothing else.
    func touch(_ id: BarID, expiresAt: WallTime, now: WallTime)

    /// Removes the record, its log and its key if the stored revision is `revision`, or any for nil.
    func delete(_ id: BarID, revision: Int?, now: WallTime) -> BarExchange

    /// Removes what is over, and says what that was.
    func expire(now: WallTime) -> [BarID]

    /// How much is kept.
    var statistics: BarStatistics { get }
}

/// How a compare-and-set ended.
package enum BarExchange: Sendable, Equatable {
    case done
    /// Somebody else wrote in between.
    case conflict
    /// There is no such bar any more.
    case gone
    /// The record has grown and there is no room for it.
    case full
    /// The record has grown and its client's share of the bytes is used up.
    case clientShare
}

/// How a creation ended.
package enum BarCreation: Sendable, Equatable {
    case created
    /// The key made this bar before, from the same content.
    case existing(BarID, BarRecord)
    /// The key made a bar before, from other content.
    case keyReused
    /// The key is making a bar at this moment.
    case running
    /// There is no room.
    case full
    /// The client has as many bars, or bytes of bars, as one client may have.
    case clientShare
}

/// A client's own name for a creation, with a fingerprint of its content.
package struct IdempotencyKey: Sendable, Hashable {
    let name: Name
    let fingerprint: UInt64

    /// The text and the client that sent it: the keys of one client are no keys of others.
    struct Name: Sendable, Hashable {
        let text: String
        /// `Context.principal`; 0 without one: where no tokens are configured, all clients share the keys.
        let principal: UInt64
    }

    init(_ text: String, content: [UInt8], principal: UInt64? = nil) {
        name = Name(text: text, principal: principal ?? 0)
        // A client that constructs two contents with one fingerprint gets its own first bar for the second.
        fingerprint = SipHash.hash(content)
    }
}

/// How a bar was made: what is given back when it ends.
struct BarOrigin: Sendable {
    /// The key that made it; nil without one.
    let key: IdempotencyKey.Name?
    /// The client whose share it is part of; nil where there are no shares.
    let client: ClientKey?
}

/// How much a store keeps.
package struct BarStatistics: Sendable, Equatable {
    package var sessions: Int
    package var maxSessions: Int
    /// Records and logs, as accounted: what `SPRINGBAR_SESSION_BYTES` limits.
    package var bytes: Int
    package var maxBytes: Int
}
