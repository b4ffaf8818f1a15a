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

    /// Adds a fault.
    ///
    /// - Precondition: ``Fault/isPossible``.
    package func add(_ fault: Fault) {
        precondition(fault.isPossible, "\(fault.kind) cannot happen on \(fault.scope)")
        faults.withLock { $0.append(fault) }
    }

    /// Replaces all faults with this one.
    ///
    /// - Precondition: ``Fault/isPossible``.
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

    /// Takes the faults of lists that match a request, as one, and counts them.
    func consumeListFault(_ target: Target) -> ListFault {
        var result = ListFault()
        for kind in consume({ $0.isOfLists && $0.matches(target) }) {
            switch kind {
            case .listShift(let count): result.published += count
            case .duplicates(let across, let inside):
                result.repeatedAcross += across
                result.repeatedInside += inside
            default: preconditionFailure("only faults of lists were consumed")
            }
        }
        return result
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

/// The faults of one page of a list.
struct ListFault: Sendable, Equatable {
    /// Photos that are published after the page.
    var published = 0
    /// The number of photos of the previous page that are repeated at the beginning of this one.
    var repeatedAcross = 0
    /// Repetitions of the page's first photo.
    var repeatedInside = 0

    /// The photos of a page of `photos` with the repetitions.
    func page(_ range: Range<Int>, of photos: [CataloguePhoto]) -> [CataloguePhoto] {
        var page = Array(photos[range])
        if range.lowerBound >= repeatedAcross {
            for index in page.indices.prefix(repeatedAcross) {
                page[index] = photos[range.lowerBound - repeatedAcross + index]
            }
        }
        for index in page.indices.dropFirst().prefix(repeatedInside) { page[index] = page[0] }
        return page
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
