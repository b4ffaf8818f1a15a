import Synchronization

/// Whether new work is welcome: true from the start, false from the first moment of a drain, for ever.
package final class Readiness: Sendable {
    private let draining = Atomic(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .acquiring) }

    /// Begins the drain.
    package func beginDraining() {
        draining.store(true, ordering: .releasing)
    }
}
