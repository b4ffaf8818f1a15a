import BarLayout
import HTTPExchange
import Primitives
import ServiceHarness
import TestSupport
import Testing

@testable import BarFeature

// Operations on the store of a service, without a request.

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
            conditions: WriteConditions([:]),
            memory: memory
        )
    }
}
