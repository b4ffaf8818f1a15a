import BarLayout
package import HTTPExchange
package import Primitives
package import SharedState

/// A store of bars.
///
/// A write is made only if the stored version is the one on which its operation decided. If another write came first, the
/// operation decides again. So several replicas can share one store.
///
/// A store in memory answers `.now`, and a shared store does not. It ends bars that have expired, and their streams.
package protocol BarStore: Sendable {
    /// The observers, which the store informs about writes and ends.
    var observers: BarObservers { get }

    /// Stores a new bar; returns it, or the bar that `key` created earlier from the same content, which stays as it is.
    ///
    /// The bar counts for the client of `memory`, if it is known.
    ///
    /// - Throws: `full`, `clientShare`, `keyReused` or `unavailable`; `Refusal.overloaded`.
    func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        memory: RequestMemory,
        now: WallTime
    ) throws -> Promised<CreatedBar>

    /// Returns the record of a bar; throws `notFound` if there is none or it has expired, or `unavailable`.
    func load(_ id: BarID, now: WallTime) throws -> Promised<BarRecord>

    /// Returns the record and the log of a bar at one moment; throws as ``load(_:now:)``.
    func loadWithLog(_ id: BarID, now: WallTime) throws -> Promised<LoggedBar>

    /// Lets an operation decide on its bar, and carries out the decision; returns the answer.
    ///
    /// - Throws: `notFound`, `full`, `clientShare`, `contended`, `unavailable`, or the error of the operation.
    func perform(_ operation: some BarOperation, now: WallTime) throws -> Reply

    /// Begins to inform the observers of a bar about the writes of other replicas; returns the function that ends it.
    func watch(_ id: BarID) -> @Sendable () -> Void

    /// The number and the size of the bars; nil for a shared store, which does not count them.
    var statistics: BarStatistics? { get }

    /// The state of the connection to a shared store, and its counters; nil for a store in memory.
    var shared: SharedStoreStatus? { get }
}

/// A shared store as a replica sees it.
package struct SharedStoreStatus: Sendable, Equatable {
    package var connection: SharedStatus
    /// The writes that were refused because another write had come first.
    package var conflicts: Int
    /// The states and messages that could not be read.
    package var unreadable: Int
    /// The bars that lost their streams because the store has lost writes.
    package var resets: Int

    package init(connection: SharedStatus, conflicts: Int, unreadable: Int, resets: Int) {
        self.connection = connection
        self.conflicts = conflicts
        self.unreadable = unreadable
        self.resets = resets
    }
}

package struct CreatedBar: Sendable {
    package let id: BarID
    /// That of its record.
    package let creation: UInt64
    /// The end of a bar that its key created earlier; nil for a new one, and for one that another request is making.
    package let expiresAt: WallTime?

    package init(id: BarID, creation: UInt64 = 0, expiresAt: WallTime? = nil) {
        self.id = id
        self.creation = creation
        self.expiresAt = expiresAt
    }
}

package struct LoggedBar: Sendable {
    package let record: BarRecord
    package let log: BarLog

    package init(record: BarRecord, log: BarLog) {
        self.record = record
        self.log = log
    }
}

package struct BarStatistics: Sendable, Equatable {
    package var sessions: Int
    package var maxSessions: Int
    /// The bytes of records and logs, which `SPRINGBAR_SESSION_BYTES` limits.
    package var bytes: Int
    package var maxBytes: Int
}

/// A request to change a bar.
///
/// A store calls `decide` with the stored record, and again if another write came first. So a decision has no effects.
package protocol BarOperation: Sendable {
    var id: BarID { get }

    func needsLog(_ record: BarRecord) -> Bool

    /// Whether the operation takes so little time that others may wait for it.
    var isShort: Bool { get }

    /// The memory of the request, in which a shared store reserves what it fetches and what it sends.
    var memory: RequestMemory { get }

    /// Whether the operation may decide again after a write that was possibly made: it then recognises that write.
    var isIdempotent: Bool { get }

    /// Decides on a record, with the log of the bar if it is needed; throws an error that refuses the request.
    ///
    /// For a write, the record is the next one afterwards.
    func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision
}

extension BarOperation {
    package func needsLog(_ record: BarRecord) -> Bool { false }

    package var isShort: Bool { true }

    package var isIdempotent: Bool { false }
}

/// The decision of an operation: the bar stays as it is, gets another record, or ends.
package enum BarDecision: ~Copyable, Sendable {
    case keep(EncodedBar)
    case write(BarWrite)
    case delete

    /// The answer to the request; nil for a deletion.
    package var answer: EncodedBar? {
        switch self {
        case .keep(let answer): answer
        case .write(let write): write.answer
        case .delete: nil
        }
    }
}

/// What belongs to a write beside the next record.
package struct BarWrite: ~Copyable, Sendable {
    /// The entries for the log.
    package let addition: LogAddition
    /// The commands of the events, for observers.
    package let commands: [NumberedCommand]
    /// The answer to the request, encoded before the write because one that is too large refuses the request.
    package let answer: EncodedBar
}

/// Sets and removes tracks of a bar; requires `If-Match`.
struct ChangeTracks: BarOperation {
    let id: BarID
    let changes: [TrackChange]
    let conditions: WriteConditions
    let memory: RequestMemory

    func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        guard conditions.ifMatch != nil else { throw BarSessionError.preconditionRequired(record.tag) }
        try record.require(conditions)
        try locating("", record.session.tracks.apply(changes))
        record.revision += 1
        record.renew(at: now)
        var addition = LogAddition()
        addition.append(.tracks(changes))
        let answer = try BarAnswer(id: id, expiresAt: record.expiresAt).encoded(record, in: memory)
        return .write(BarWrite(addition: addition, commands: [], answer: answer))
    }
}

struct DeleteBar: BarOperation {
    let id: BarID
    let conditions: WriteConditions
    let memory: RequestMemory

    /// A bar that was deleted stays so.
    var isIdempotent: Bool { true }

    func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        try record.require(conditions)
        return .delete
    }
}

extension BarRecord {
    /// Throws `preconditionFailed` unless the tag meets the conditions.
    func require(_ conditions: WriteConditions) throws(BarSessionError) {
        guard conditions.areMet(by: EntityTag(tag)) else { throw .preconditionFailed(tag) }
    }
}
