import BarLayout
import HTTPExchange
import Primitives
import ServiceHarness
import TestSupport
import Testing

@testable import BarFeature

// Operations on the store of a service, without a request: another write comes between, or the memory is small.

extension BarID {
    /// The id in the path of a bar.
    init(path: String) throws { self = try #require(BarID(String(path.suffix(32)))) }
}

extension Service {
    func perform(_ operation: some BarOperation) throws -> Reply { try sessions.perform(operation) }

    /// Submits offsets to a bar; they are numbered if the number of the first one is given.
    func submit(
        _ offsets: [Double] = [1],
        to path: String,
        from first: Int? = nil,
        ifMatch: String? = nil,
        memory: RequestMemory = .unlimited()
    ) throws -> any BarOperation {
        let events = try offsets.enumerated().map { index, y in
            let event = BarEvent(.contentOffset(try Point(x: 0, y: y)))
            return EventSubmission.Numbered(event: event, sequence: first.map { $0 + index })
        }
        return SubmitEvents(
            id: try BarID(path: path),
            submission: EventSubmission(first: events[0], others: Array(events.dropFirst()), isBatch: true),
            detail: ResultDetail(scope: .all, explains: false),
            conditions: WriteConditions(ifMatch.map { [.ifMatch: "\"\($0)\""] } ?? [:]),
            memory: memory
        )
    }

    func end(_ path: String) throws -> any BarOperation {
        DeleteBar(id: try BarID(path: path), conditions: WriteConditions([:]), memory: .unlimited())
    }
}

/// An operation that other writes overtake.
struct OvertakenOperation: BarOperation {
    /// When the other writes come: between the record and its log, or after a decision.
    enum Moment {
        case beforeLog, afterDecision
    }

    private let base: any BarOperation
    private let moment: Moment
    private let left: Shared<Int>
    private let write: @Sendable () -> Void

    /// `write` comes first at so many attempts.
    init(
        _ base: any BarOperation,
        at moment: Moment = .afterDecision,
        times: Int = 1,
        by write: @escaping @Sendable () -> Void
    ) {
        self.base = base
        self.moment = moment
        left = Shared(times)
        self.write = write
    }

    var id: BarID { base.id }

    var memory: RequestMemory { base.memory }

    func needsLog(_ record: BarRecord) -> Bool {
        if moment == .beforeLog { overtake() }
        return base.needsLog(record)
    }

    func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
        let decision = try base.decide(&record, log, now: now)
        if moment == .afterDecision { overtake() }
        return decision
    }

    private func overtake() {
        guard left.current > 0 else { return }
        left.change { $0 -= 1 }
        write()
    }
}
