import Synchronization

/// Who watches which bar.
///
/// A publication is made once for all observers of a bar, and only when there is one. Nothing is called while a lock is
/// held.
final class BarObservers: Sendable {
    private let watched = Mutex<[BarID: [BarObserver]]>([:])
    private let total = Atomic<Int>(0)

    /// Observers of all bars.
    var count: Int { total.load(ordering: .relaxed) }

    func add(_ observer: BarObserver, to id: BarID) {
        watched.withLock { $0[id, default: []].append(observer) }
        total.add(1, ordering: .relaxed)
    }

    /// Takes an observer out; nothing when it is out already.
    func remove(_ observer: BarObserver, from id: BarID) {
        let isFound = watched.withLock { watched in
            guard let place = watched[id]?.firstIndex(where: { $0 === observer }) else { return false }
            watched[id]?.remove(at: place)
            if watched[id]?.isEmpty == true { watched[id] = nil }
            return true
        }
        if isFound { total.subtract(1, ordering: .relaxed) }
    }

    /// Tells a bar's observers where it stands now.
    func publish(_ answer: BarAnswer, of id: BarID) {
        // The usual case on the hot path: nobody watches any bar, and no lock is taken to find that out. Who begins to
        // watch at this moment reads the bar after it was added, and so reads this write.
        guard total.load(ordering: .relaxed) > 0 else { return }
        let observers = watched.withLock { $0[id] ?? [] }
        guard !observers.isEmpty else { return }
        let publication = BarPublication(answer, withCommands: observers.contains(where: \.wantsCommands))
        for observer in observers { observer.offer(publication) }
    }

    /// Tells a bar's observers that it has ended, and why.
    func end(_ id: BarID, reason: String) {
        guard let observers = watched.withLock({ $0.removeValue(forKey: id) }) else { return }
        total.subtract(observers.count, ordering: .relaxed)
        for observer in observers { observer.end(reason: reason) }
    }
}
