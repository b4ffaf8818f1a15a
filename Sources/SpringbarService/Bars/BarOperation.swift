import BarLayout
import HTTPExchange
package import Primitives

/// A request to change a bar, as a value that decides what becomes of the bar.
///
/// A store calls `decide` with the stored record, and again if another write came first. So a decision has no effects.
/// Operations and writes are immutable objects, because a copy of a record for each call would cost a tenth of a POST.
package protocol BarOperation: AnyObject, Sendable {
    /// The bar.
    var id: BarID { get }

    /// Whether the decision on a record needs its log.
    func needsLog(_ record: BarRecord) -> Bool

    /// Whether the operation may decide again after a write that was possibly made: it then recognises that write.
    var isRepeatable: Bool { get }

    /// Returns the decision on a record, with the log of the bar if it is needed.
    ///
    /// - Throws: an error that refuses the request; the bar stays as it is.
    func decide(_ record: BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision
}

extension BarOperation {
    package func needsLog(_ record: BarRecord) -> Bool { false }

    package var isRepeatable: Bool { false }
}

/// The decision of an operation.
package enum BarDecision: Sendable {
    /// The bar stays as it is.
    case keep(EncodedBar)
    /// The bar gets another record.
    case write(BarWrite)
    /// The bar ends.
    case delete

    /// The answer to the request; nil for a deletion.
    var answer: EncodedBar? {
        switch self {
        case .keep(let answer): answer
        case .write(let write): write.answer
        case .delete: nil
        }
    }
}

/// A write: the next record of a bar, and the entries for its log.
package final class BarWrite: Sendable {
    let record: BarRecord
    let addition: BarLog.Addition
    /// The commands of the events, for observers.
    let commands: [NumberedCommand]
    /// The answer to the request, encoded before the write because one that is too large refuses the request.
    let answer: EncodedBar

    init(record: BarRecord, addition: BarLog.Addition, commands: [NumberedCommand], answer: EncodedBar) {
        self.record = record
        self.addition = addition
        self.commands = commands
        self.answer = answer
    }
}

/// Sets and removes tracks of a bar; requires `If-Match`.
final class ChangeTracks: BarOperation {
    let id: BarID
    private let changes: [TrackChange]
    private let ifMatch: EntityTagCondition?

    init(id: BarID, changes: [TrackChange], ifMatch: EntityTagCondition?) {
        self.id = id
        self.changes = changes
        self.ifMatch = ifMatch
    }

    func decide(_ record: BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        guard ifMatch != nil else { throw BarSessionError.preconditionRequired(revision: record.revision) }
        try record.require(ifMatch)
        var session = record.session
        do throws(BarLayoutError) {
            try session.tracks.apply(changes)
        } catch {
            throw BarSessionError.invalid(pointer: "", error)
        }
        let next = record.next(
            session,
            revision: record.revision + 1,
            lastSequence: record.lastSequence,
            now: now
        )
        var addition = BarLog.Addition(after: record.lastSequence)
        addition.append(.tracks(changes))
        let answer = try BarAnswer(id, next).encoded()
        return .write(BarWrite(record: next, addition: addition, commands: [], answer: answer))
    }
}

/// Ends a bar.
final class DeleteBar: BarOperation {
    let id: BarID
    private let ifMatch: EntityTagCondition?

    init(id: BarID, ifMatch: EntityTagCondition?) {
        self.id = id
        self.ifMatch = ifMatch
    }

    /// A bar that was deleted stays so.
    var isRepeatable: Bool { true }

    func decide(_ record: BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        try record.require(ifMatch)
        return .delete
    }
}

extension BarRecord {
    /// Throws `preconditionFailed` unless the revision meets the condition; no condition is always met.
    func require(_ ifMatch: EntityTagCondition?) throws(BarSessionError) {
        guard ifMatch?.matches(EntityTag(revision: revision)) ?? true else {
            throw .preconditionFailed(revision: revision)
        }
    }
}
