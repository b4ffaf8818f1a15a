import HTTPExchange
import Primitives
import Synchronization

/// The active faults.
///
/// Every fault that matches a request applies to it: latencies add up, and the first of the others is produced.
package final class FaultInjector: Sendable {
    private let faults = Lock<[Fault]>([])

    init() {}

    /// The active faults, with the numbers of requests that they still affect.
    package var active: [Fault] { faults.withLock { $0 } }

    package func add(_ fault: Fault) { faults.withLock { $0.append(fault) } }

    /// Removes all faults; answers that have begun are not changed.
    package func clear() { faults.withLock { $0 = [] } }

    /// Takes the faults of a whole answer that match a request, in the order they were added, and counts them.
    func consume(_ pathClass: PathClass, _ target: Target) -> [Fault] {
        consume(target) { !$0.kind.isOfLists && ($0.scope == .images) == (pathClass == .images) }
    }

    /// Takes the faults of lists that match a request, and counts them.
    ///
    /// - Returns: the photos of the page with repetitions, and the number of photos to publish after it.
    func consumeListFaults(
        _ target: Target,
        page range: Range<Int>,
        of photos: [CataloguePhoto]
    ) -> (page: [CataloguePhoto], published: Int) {
        var page = Array(photos[range])
        let faults = consume(target, where: \.kind.isOfLists)
        for fault in faults where fault.kind == .duplicates {
            let (across, inside) = (fault.numbers["across"] ?? 0, fault.numbers["inside"] ?? 0)
            // Pages after the first one start with the last photos of the page before.
            if range.lowerBound >= across {
                for index in page.indices.prefix(across) { page[index] = photos[range.lowerBound - across + index] }
            }
            for index in page.indices.dropFirst().prefix(inside) { page[index] = page[0] }
        }
        return (page, faults.reduce(0) { $0 + ($1.numbers["photos"] ?? 0) })
    }

    private func consume(_ target: Target, where isRight: (Fault) -> Bool) -> [Fault] {
        faults.withLock { faults in
            let matching = faults.indices.filter { index in
                isRight(faults[index]) && faults[index].containing.map(target.raw.contains) ?? true
            }
            let consumed = matching.map { faults[$0] }
            for index in matching { faults[index].count = faults[index].count.map { $0 - 1 } }
            faults.removeAll { $0.count == 0 }
            return consumed
        }
    }
}
