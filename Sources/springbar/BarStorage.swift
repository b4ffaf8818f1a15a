import CoreMetrics
import Logging
import Primitives
import RedisClient
import ServiceLifecycle
import SpringbarService

/// The bars: in memory, or in a Redis that several replicas share.
struct BarStorage {
    let sessions: BarSessions
    /// The engine of the shared store; nil for a store in memory.
    let engine: RedisEngine?
    /// The parts that run with the service, in the order of their starts.
    let parts: [any Service]

    /// The time that a start waits for Redis; after it the service starts without Redis.
    private static let patience = Duration.seconds(5)

    /// - Throws: exit status 78 if the address or the settings of Redis are wrong.
    init(_ configuration: Configuration, _ plan: MemoryPlan, metrics: PrometheusRegistry, logger: Logger) async throws {
        guard let address = configuration.redisURL?.text else {
            sessions = BarSessions(configuration, plan)
            engine = nil
            parts = [BarSweeper(sessions)]
            return
        }
        let engine = try BarStorage.engine(at: address, configuration, metrics, logger)
        if let failure = await BarStorage.firstFailure(of: engine) {
            engine.stop()
            throw refusal(ConfigurationFaults(faults: [failure.description]))
        }
        let observers = BarObservers()
        let store = SharedBarStore(configuration, plan, engine: engine, observers: observers, logger: logger)
        sessions = BarSessions(configuration, shared: store, observers: observers)
        self.engine = engine
        parts = [RedisRun(engine: engine), SharedBarUpkeep(store)]
    }

    private static func engine(
        at address: String,
        _ configuration: Configuration,
        _ metrics: PrometheusRegistry,
        _ logger: Logger
    ) throws -> RedisEngine {
        let url: RedisURL
        do throws(RedisURLError) {
            url = try RedisURL(address)
        } catch {
            throw refusal(ConfigurationFaults(faults: ["\(Setting.redisURL.variable): \(error)"]))
        }
        let settings = RedisConfiguration(
            url: url,
            authorities: configuration.redisCA,
            timeout: configuration.redisTimeout
        )
        let latency = metrics.makeTimer(label: MetricSources.storeLatency, dimensions: [])
        do throws(ConnectionFailure) {
            return try RedisEngine(settings, prefix: configuration.redisPrefix, logger: logger) { time in
                latency.recordNanoseconds(time.wholeNanoseconds)
            }
        } catch {
            throw refusal(ConfigurationFaults(faults: [error.description]))
        }
    }

    /// Waits for the first connection; returns a failure that only a change of the settings can end.
    private static func firstFailure(of engine: RedisEngine) async -> ConnectionFailure? {
        await withTaskGroup(of: ConnectionFailure?.self) { group in
            group.addTask { await engine.waitUntilReady() }
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
    let engine: RedisEngine

    func run() async throws {
        try? await gracefulShutdown()
        engine.stop()
    }
}
