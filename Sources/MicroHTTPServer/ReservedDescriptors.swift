import Synchronization

/// The descriptors of connections that were admitted to the reserve and are on their way to a worker.
///
/// The library carries nothing of ours from `MHD_add_connection` to the start notification but the descriptor, which is
/// that of no other connection meanwhile. Mostly the set is empty, and asking for it costs one load.
final class ReservedDescriptors: Sendable {
    private let count = Atomic(0)
    private let descriptors = Mutex<Set<Int32>>([])

    /// Adds a descriptor, before the library is given it.
    func add(_ descriptor: Int32) {
        descriptors.withLock { _ = $0.insert(descriptor) }
        count.add(1, ordering: .releasing)
    }

    /// Takes a descriptor out; false if it was not in.
    func remove(_ descriptor: Int32) -> Bool {
        guard count.load(ordering: .acquiring) > 0,
            descriptors.withLock({ $0.remove(descriptor) }) != nil
        else { return false }
        count.subtract(1, ordering: .relaxed)
        return true
    }
}
