import BarFeature
import CoreMetrics
import Logging
import Primitives
import RedisClient
import ServiceLifecycle
import SharedState
import SpringbarService

/// The bars: in memory, or in Redis, which several replicas share.
struct BarStorage {
    let sessions: BarSessions
    /// The store that replicas share; nil without Redis.
    let store: RedisStore?
    /// The parts that run with the service, in the order of their starts.
    let parts: [any Service]

    /// The time that a start waits for Redis; after it the service starts without Redis.
    private static let patience = Duration.seconds(5)

    /// - Throws: exit status 78 if the address or the settings of Redis are wrong.
    init(_ configuration: Configuration, _ plan: MemoryPlan, metrics: PrometheusRegistry, logger: Logger) async throws {
        guard let addresses = configuration.redisURL?.text else {
            sessions = BarSessions(configuration, plan)
            store = nil
            parts = [BarSweeper(sessions)]
            return
        }
        let redis = try BarStorage.connect(to: addresses, configuration, metrics, logger)
        if let failure = await BarStorage.firstFailure(of: redis) {
            redis.stop()
            throw refusal(ConfigurationFaults(faults: [failure.description]))
        }
        let (observers, clock) = (BarObservers(), SteadyClock())
        let bars = SharedBarStore(
            configuration,
            plan,
            store: redis,
            observers: observers,
            clock: clock,
            logger: logger
        )
        sessions = BarSessions(configuration, shared: bars, observers: observers, clock: clock)
        store = redis
        parts = [RedisRun(store: redis), bars.watches]
    }

    /// Starts to connect.
    private static func connect(
        to addresses: String,
        _ configuration: Configuration,
        _ metrics: PrometheusRegistry,
        _ logger: Logger
    ) throws -> RedisStore {
        let latency = metrics.makeTimer(label: MetricSources.storeLatency, dimensions: [])
        do {
            let settings = RedisConfiguration(
                urls: try RedisURL.list(addresses),
                authorities: configuration.redisCA,
                timeout: configuration.redisTimeout
            )
            return try RedisStore(settings, prefix: configuration.redisPrefix, logger: logger) { time in
                latency.recordNanoseconds(time.wholeNanoseconds)
            }
        } catch {
            throw refusal(ConfigurationFaults(faults: ["\(Setting.redisURL.variable): \(error)"]))
        }
    }

    /// Waits for the first connection, and tries every command; returns a failure that only a change of the settings can
    /// end.
    private static func firstFailure(of store: RedisStore) async -> ConnectionFailure? {
        await withTaskGroup(of: ConnectionFailure?.self) { group in
            group.addTask {
                if let failure = await store.waitUntilReady() { return failure }
                return await store.missingPermission()
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// The client of Redis; it ends after the parts that use it.
struct RedisRun: Service {
    let store: RedisStore

    func run() async throws {
        try? await gracefulShutdown()
        store.stop()
    }
}
