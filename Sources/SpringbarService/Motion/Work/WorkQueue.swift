/// Who waits for which work, and how much may be under way: the rules of the worker, without a thread.
///
/// Askers for the same work wait for one computation. Work that nobody waits for any more is not begun. When `limit`
/// different works are under way, another one is refused: a queue that is longer than its askers are patient helps
/// nobody.
struct WorkQueue<Waiter> {
    enum Admission: Equatable {
        /// The work is new: whoever gets this has it done.
        case start
        /// The work is under way already.
        case joined
        case refused
    }

    private let limit: Int
    private var waiters: [String: [(id: UInt64, waiter: Waiter)]] = [:]
    private var places: [UInt64: String] = [:]
    private(set) var refusals = 0
    /// The number of works begun and not finished.
    private(set) var running = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of works under way, waiting or running.
    var count: Int { waiters.count }

    /// Lets a waiter, under an id of its own, wait for the work of that name; a refused one is not kept.
    mutating func ask(for name: String, id: UInt64, _ waiter: Waiter) -> Admission {
        let isNew = waiters[name] == nil
        guard !isNew || waiters.count < limit else {
            refusals += 1
            return .refused
        }
        waiters[name, default: []].append((id, waiter))
        places[id] = name
        return isNew ? .start : .joined
    }

    /// Whether the work of that name is still wanted; if not, it is struck off.
    mutating func begin(_ name: String) -> Bool {
        guard waiters[name]?.isEmpty == true else {
            running += 1
            return true
        }
        waiters[name] = nil
        return false
    }

    /// Strikes off work that was begun and is done, and gives back those who waited for it.
    mutating func finish(_ name: String) -> [Waiter] {
        running -= 1
        let done = waiters.removeValue(forKey: name) ?? []
        for (id, _) in done { places[id] = nil }
        return done.map(\.waiter)
    }

    /// Takes back a waiter that does not want to wait any longer; nil when it has been served.
    mutating func leave(_ id: UInt64) -> Waiter? {
        guard let name = places.removeValue(forKey: id),
            let index = waiters[name]?.firstIndex(where: { $0.id == id })
        else { return nil }
        return waiters[name]?.remove(at: index).waiter
    }
}
