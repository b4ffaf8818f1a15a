package import Primitives
import Synchronization

/// Several engines as one: each key is on one of them, chosen by a function of the key.
///
/// Every call concerns one key, so no call needs two engines. If one is unavailable, the keys of the others can be used.
package final class ShardedEngine: SharedEngine {
    private let engines: [any SharedEngine]
    private let route: @Sendable (_ key: SharedKey, _ count: Int) -> Int
    /// The last known usage of each engine.
    private let usages: Mutex<[SharedUsage?]>

    /// - Parameters:
    ///   - engines: at least one. All replicas have the same ones in the same order.
    ///   - route: returns the index of the engine that has a key, below the number of engines.
    package init(
        _ engines: [any SharedEngine],
        route: @escaping @Sendable (_ key: SharedKey, _ count: Int) -> Int
    ) {
        precondition(!engines.isEmpty)
        self.engines = engines
        self.route = route
        usages = Mutex(engines.map { _ in nil })
    }

    private func engine(_ key: SharedKey) -> any SharedEngine {
        engines[route(key, engines.count)]
    }

    package func create(
        _ key: SharedKey,
        _ value: SharedValue,
        timeToLive: Duration
    ) async throws(SharedStateError) -> SharedCreation {
        try await engine(key).create(key, value, timeToLive: timeToLive)
    }

    package func read(_ key: SharedKey) async throws(SharedStateError) -> SharedValue? {
        try await engine(key).read(key)
    }

    package func readWithLog(_ key: SharedKey) async throws(SharedStateError) -> SharedEntry? {
        try await engine(key).readWithLog(key)
    }

    package func exchange(_ key: SharedKey, _ write: SharedWrite) async throws(SharedStateError) -> SharedExchange {
        try await engine(key).exchange(key, write)
    }

    package func delete(_ key: SharedKey, base: SharedVersion) async throws(SharedStateError) -> SharedExchange {
        try await engine(key).delete(key, base: base)
    }

    package func watch(_ key: SharedKey, _ receive: @escaping @Sendable (SharedEvent) -> Void) -> SharedWatch {
        engine(key).watch(key, receive)
    }

    package func unwatch(_ watch: SharedWatch) {
        engine(watch.key).unwatch(watch)
    }

    /// Returns the usage of all engines; for one that is unavailable, its last known usage.
    ///
    /// - Throws: the error of the first engine if none replies.
    package func usage() async throws(SharedStateError) -> SharedUsage {
        let results = await withTaskGroup(of: (Int, Result<SharedUsage, SharedStateError>).self) { group in
            for (index, engine) in engines.enumerated() {
                group.addTask {
                    // Optimised code of Swift 6.3.1 loses an element that is computed before an await of a later one.
                    let result: Result<SharedUsage, SharedStateError>
                    do throws(SharedStateError) {
                        result = .success(try await engine.usage())
                    } catch {
                        result = .failure(error)
                    }
                    return (index, result)
                }
            }
            var results: [Int: Result<SharedUsage, SharedStateError>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        let replies = results.compactMapValues { try? $0.get() }
        if replies.isEmpty, case .failure(let error) = results[0] { throw error }
        let usages = usages.withLock { usages in
            for (index, usage) in replies { usages[index] = usage }
            return usages.compactMap(\.self)
        }
        return SharedUsage(combining: usages)
    }

    /// The time of the first engine that was connected once, for all values; the others need not agree with it.
    package var now: WallTime {
        (engines.first(where: \.status.hasConnected) ?? engines[0]).now
    }

    package var status: SharedStatus { SharedStatus(combining: engines.map(\.status)) }
}
