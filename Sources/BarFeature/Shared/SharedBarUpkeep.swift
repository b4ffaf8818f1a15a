import ServiceLifecycle

/// Reads the watched bars that are due: after every reconnect, and once a second.
package struct SharedBarUpkeep: Service {
    private let store: SharedBarStore

    package init(_ store: SharedBarStore) {
        self.store = store
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in store.watches.wakes { await store.watches.look() }
                }
                group.addTask {
                    while true {
                        await store.watches.look()
                        try await Task.sleep(for: .seconds(1))
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
