import BuiltInLibrary
import HTTPExchange
import Primitives
import Synchronization

/// The active faults.
package final class FaultInjector: Sendable {
    private let faults = Lock<[Fault]>([])

    package func add(_ fault: Fault) { faults.withLock { $0.append(fault) } }

    /// Removes all faults; answers that have begun are not changed.
    package func clear() { faults.withLock { $0 = [] } }

    /// Takes the faults that match a request, in the order they were added, and counts them.
    func consume(_ request: Request) -> [Fault] {
        faults.withLock { faults in
            let matching = faults.indices.filter { index in
                let fault = faults[index]
                return (fault.on == .images) == request.isForPicture
                    && fault.containing.map(request.target.raw.contains) ?? true
            }
            let consumed = matching.map { faults[$0] }
            for index in matching { faults[index].count = faults[index].count.map { $0 - 1 } }
            faults.removeAll { $0.count == 0 }
            return consumed
        }
    }
}
