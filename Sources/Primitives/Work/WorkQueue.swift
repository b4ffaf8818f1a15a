/// Which callers wait for which work, and how much work is under way: the rules of `BoundedWorker`, without a thread.
///
/// Callers that want the same work wait for one computation. Work without a waiting caller is not begun. When `limit`
/// different works are under way, another one is refused: the queue is never longer than its callers are patient.
package struct WorkQueue<Name: Hashable, Waiter> {
    /// What becomes of a caller.
    package enum Admission: Equatable {
        /// The work is new: the caller has to start it.
        case start
        /// The work is under way already.
        case joined
        /// Too much is under way; the caller is not kept.
        case refused
    }

    private let limit: Int
    private var waiters: [Name: [(id: UInt64, waiter: Waiter)]] = [:]
    private var names: [UInt64: Name] = [:]
    /// Works refused so far.
    package private(set) var refusals = 0
    /// The number of works begun and not finished.
    package private(set) var running = 0

    /// A queue for `limit` different works at a time.
    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of works under way, waiting or running.
    package var count: Int { waiters.count }

    /// Lets a caller, under an id of its own, wait for the work of that name.
    package mutating func ask(for name: Name, id: UInt64, _ waiter: Waiter) -> Admission {
        let isNew = waiters[name] == nil
        guard !isNew || waiters.count < limit else {
            refusals += 1
            return .refused
        }
        waiters[name, default: []].append((id, waiter))
        names[id] = name
        return isNew ? .start : .joined
    }

    /// Returns whether the work of that name is still wanted; if not, removes it.
    package mutating func begin(_ name: Name) -> Bool {
        guard waiters[name]?.isEmpty == true else {
            running += 1
            return true
        }
        waiters[name] = nil
        return false
    }

    /// Returns whether running work has lost all of its callers; if so, removes it, so that a later caller starts anew.
    package mutating func abandon(_ name: Name) -> Bool {
        guard waiters[name]?.isEmpty == true else { return false }
        waiters[name] = nil
        running -= 1
        return true
    }

    /// Removes work that was begun and is done, and returns the callers that waited for it.
    package mutating func finish(_ name: Name) -> [Waiter] {
        running -= 1
        let done = waiters.removeValue(forKey: name) ?? []
        for (id, _) in done { names[id] = nil }
        return done.map(\.waiter)
    }

    /// Removes a caller that does not want to wait any longer; nil if it has been served.
    package mutating func leave(_ id: UInt64) -> Waiter? {
        guard let name = names.removeValue(forKey: id),
            let index = waiters[name]?.firstIndex(where: { $0.id == id })
        else { return nil }
        return waiters[name]?.remove(at: index).waiter
    }
}
