import HTTPExchange
import Synchronization

/// The faults that are on.
///
/// Every fault that fits a request meets it: latency adds up, the first of the others decides.
package final class FaultSwitch: Sendable {
    private let faults = Mutex<[Fault]>([])

    init() {}

    /// The faults in force, with the counts that are left.
    package var active: [Fault] {
        faults.withLock { $0 }
    }

    /// Adds a fault to those in force.
    ///
    /// - Precondition: it is possible: see ``Fault/isPossible``.
    package func add(_ fault: Fault) {
        precondition(fault.isPossible, "\(fault.kind) cannot happen on \(fault.scope)")
        faults.withLock { $0.append(fault) }
    }

    /// Puts a fault in place of all others.
    ///
    /// - Precondition: it is possible: see ``Fault/isPossible``.
    package func set(_ kind: Fault.Kind, on scope: Fault.Scope, count: Int? = nil, containing: String? = nil) {
        let fault = Fault(kind, on: scope, count: count, containing: containing)
        precondition(fault.isPossible, "\(kind) cannot happen on \(scope)")
        faults.withLock { $0 = [fault] }
    }

    /// Switches all faults off; what has begun goes on as it began.
    package func clear() {
        faults.withLock { $0 = [] }
    }

    /// The faults that meet a request of `pathClass`, in the order they were added; each is one fewer from here on.
    ///
    /// Faults of lists are left to the lists.
    func take(_ pathClass: PathClass, _ target: Target) -> [Fault.Kind] {
        take { fault in
            !fault.isOfLists && (fault.scope == .images) == (pathClass == .images) && fault.fits(target)
        }
    }

    /// What the faults make of one page of a list.
    func takeListFault(of asking: Asking) -> ListFault {
        var result = ListFault()
        for kind in take({ $0.isOfLists && $0.fits(asking.target) }) {
            switch kind {
            case .listShift(let count): result.published += count
            case .duplicates(let across, let inside):
                result.repeatedAcross += across
                result.repeatedInside += inside
            default: preconditionFailure("only faults of lists were taken")
            }
        }
        return result
    }

    private func take(_ fits: (Fault) -> Bool) -> [Fault.Kind] {
        faults.withLock { faults in
            var kinds: [Fault.Kind] = []
            for index in faults.indices where fits(faults[index]) {
                kinds.append(faults[index].kind)
                faults[index].count = faults[index].count.map { $0 - 1 }
            }
            faults.removeAll { $0.count.map { $0 <= 0 } ?? false }
            return kinds
        }
    }
}

/// What happens to a page of a list.
struct ListFault: Sendable, Equatable {
    var published = 0
    var repeatedAcross = 0
    var repeatedInside = 0
}

extension Fault {
    fileprivate func fits(_ target: Target) -> Bool {
        containing.map { target.raw.contains($0) } ?? true
    }

    fileprivate var isOfLists: Bool {
        switch kind {
        case .listShift, .duplicates: true
        default: false
        }
    }
}
