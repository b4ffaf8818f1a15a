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
    package var active: [Fault] {
        faults.withLock { $0 }
    }

    /// Adds a fault, which must be possible.
    package func add(_ fault: Fault) {
        precondition(fault.isPossible, "\(fault.kind) cannot happen on \(fault.scope)")
        faults.withLock { $0.append(fault) }
    }

    /// Replaces all faults with this one, which must be possible.
    package func set(_ kind: Fault.Kind, on scope: Fault.Scope, count: Int? = nil, containing: String? = nil) {
        clear()
        add(Fault(kind, on: scope, count: count, containing: containing))
    }

    /// Removes all faults; answers that have begun are not changed.
    package func clear() {
        faults.withLock { $0 = [] }
    }

    /// Takes the faults of a whole answer that match a request, in the order they were added, and counts them.
    func consume(_ pathClass: PathClass, _ target: Target) -> [Fault.Kind] {
        consume { !$0.isOfLists && ($0.scope == .images) == (pathClass == .images) && $0.matches(target) }
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
        var published = 0
        for kind in consume({ $0.isOfLists && $0.matches(target) }) {
            if case .listShift(let count) = kind { published += count }
            guard case .duplicates(let across, let inside) = kind else { continue }
            if range.lowerBound >= across {
                for index in page.indices.prefix(across) { page[index] = photos[range.lowerBound - across + index] }
            }
            for index in page.indices.dropFirst().prefix(inside) { page[index] = page[0] }
        }
        return (page, published)
    }

    private func consume(_ matches: (Fault) -> Bool) -> [Fault.Kind] {
        faults.withLock { faults in
            var kinds: [Fault.Kind] = []
            for index in faults.indices where matches(faults[index]) {
                kinds.append(faults[index].kind)
                faults[index].count = faults[index].count.map { $0 - 1 }
            }
            faults.removeAll { $0.count.map { $0 <= 0 } ?? false }
            return kinds
        }
    }
}

extension Fault {
    fileprivate func matches(_ target: Target) -> Bool {
        containing.map { target.raw.contains($0) } ?? true
    }

    fileprivate var isOfLists: Bool {
        switch kind {
        case .listShift, .duplicates: true
        default: false
        }
    }
}
