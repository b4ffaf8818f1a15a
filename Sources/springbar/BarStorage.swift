import CoreMetrics
import Logging
import Primitives
import RedisClient
import ServiceLifecycle
import SharedState
import SpringbarService

/// The bars: in memory, or in one or more Redis servers that several replicas share.
struct BarStorage {
    let sessions: BarSessions
    /// The engine of the shared store; nil for a store in memory.
    let engine: (any SharedEngine)?
    /// The store of what replicas share of photos; nil without Redis.
    let store: RedisStore?
    /// The parts that run with the service, in the order of their starts.
    let parts: [any Service]

    /// The time that a start waits for Redis; after it the service starts without Redis.
    private static let patience = Duration.seconds(5)

    /// - Throws: exit status 78 if the address or the settings of Redis are wrong.
    init(_ configuration: Configuration, _ plan: MemoryPlan, metrics: PrometheusRegistry, logger: Logger) async throws {
        guard let addresses = configuration.redisURL?.text else {
            sessions = BarSessions(configuration, plan)
            engine = nil
            store = nil
            parts = [BarSweeper(sessions)]
            return
        }
        let servers = try BarStorage.servers(at: addresses, configuration, metrics, logger)
        let photos = try BarStorage.store(at: addresses, configuration, logger)
        if let failure = await BarStorage.firstFailure(of: servers, photos) {
            for server in servers { server.stop() }
            photos.stop()
            throw refusal(ConfigurationFaults(faults: [failure]))
        }
        let engine: any SharedEngine =
            servers.count == 1 ? servers[0] : ShardedEngine(servers) { $0.server(of: $1) }
        let observers = BarObservers()
        let store = SharedBarStore(configuration, plan, engine: engine, observers: observers, logger: logger)
        sessions = BarSessions(configuration, shared: store, observers: observers)
        self.engine = engine
        self.store = photos
        parts = [RedisRun(servers: servers, store: photos), SharedBarUpkeep(store)]
    }

    /// Starts to connect to all servers.
    private static func servers(
        at addresses: String,
        _ configuration: Configuration,
        _ metrics: PrometheusRegistry,
        _ logger: Logger
    ) throws -> [RedisEngine] {
        let urls: [RedisURL]
        do throws(RedisURLListError) {
            urls = try RedisURLList(addresses).urls
        } catch {
            let faults = error.faults.map { "\(Setting.redisURL.variable): \($0)" }
            throw refusal(ConfigurationFaults(faults: faults))
        }
        let latency = metrics.makeTimer(label: MetricSources.storeLatency, dimensions: [])
        var servers: [RedisEngine] = []
        for url in urls {
            let settings = RedisConfiguration(
                url: url,
                authorities: configuration.redisCA,
                timeout: configuration.redisTimeout
            )
            var logger = logger
            if urls.count > 1 { logger[metadataKey: "server"] = "\(url)" }
            do throws(ConnectionFailure) {
                let server = try RedisEngine(settings, prefix: configuration.redisPrefix, logger: logger) { time in
                    latency.recordNanoseconds(time.wholeNanoseconds)
                }
                servers.append(server)
            } catch {
                for server in servers { server.stop() }
                throw refusal(ConfigurationFaults(faults: [error.description]))
            }
        }
        return servers
    }

    /// Starts to connect to the first server.
    private static func store(
        at addresses: String,
        _ configuration: Configuration,
        _ logger: Logger
    ) throws -> RedisStore {
        do {
            let settings = RedisConfiguration(
                url: try RedisURLList(addresses).urls[0],
                authorities: configuration.redisCA,
                timeout: configuration.redisTimeout
            )
            return try RedisStore(settings, prefix: configuration.redisPrefix, logger: logger)
        } catch {
            throw refusal(ConfigurationFaults(faults: ["\(error)"]))
        }
    }

    /// Waits for the first connection of each server, and tries every command; returns the text of a failure that only a
    /// change of the settings can end.
    private static func firstFailure(of servers: [RedisEngine], _ photos: RedisStore) async -> String? {
        /// The end of a wait: for a server, or of the patience.
        enum End: Sendable {
            case server(Int, ConnectionFailure?)
            case patience
        }
        return await withTaskGroup(of: End.self) { group in
            for (index, server) in servers.enumerated() {
                group.addTask {
                    if let failure = await server.waitUntilReady() { return .server(index, failure) }
                    if let failure = await server.missingPermission() { return .server(index, failure) }
                    guard index == 0 else { return .server(index, nil) }
                    if let failure = await photos.waitUntilReady() { return .server(index, failure) }
                    let failure = await photos.missingPermission()
                    return .server(index, failure)
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return .patience
            }
            defer { group.cancelAll() }
            var waiting = servers.count
            for await end in group {
                guard case .server(let index, let failure) = end else { return nil }
                if let failure {
                    return servers.count == 1 ? "\(failure)" : "address \(index + 1) of \(servers.count): \(failure)"
                }
                waiting -= 1
                if waiting == 0 { return nil }
            }
            return nil
        }
    }
}

/// The clients of Redis; they end after the parts that use them.
struct RedisRun: Service {
    let servers: [RedisEngine]
    let store: RedisStore

    func run() async throws {
        try? await gracefulShutdown()
        store.stop()
        for server in servers { server.stop() }
    }
}
