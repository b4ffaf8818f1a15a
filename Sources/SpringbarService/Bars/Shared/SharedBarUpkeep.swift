import ServiceLifecycle
import SharedState

/// Keeps a shared store's observers and limits up to date: after every reconnect, and once a second.
package struct SharedBarUpkeep: Service {
    private let store: SharedBarStore

    package init(_ store: SharedBarStore) {
        self.store = store
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in store.watches.wakes { await store.watches.heal() }
                }
                group.addTask {
                    while true {
                        await store.upkeep()
                        try await Task.sleep(for: .seconds(1))
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

extension SharedBarStore {
    /// Gets the usage of the store, ends removals that have failed, and reads the watched bars that were missed or have
    /// expired.
    package func upkeep() async {
        if let usage = try? await engine.usage() { limits.note(usage) }
        await shares.finishRemovals(engine.now)
        await watches.heal(at: engine.now)
    }
}
