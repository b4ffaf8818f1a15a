import BarFeature
import Logging
import Primitives
import RedisClient
import SharedBars
import SpringbarService
import Synchronization

/// The bars: in memory, or in Redis, which several replicas share.
struct BarStorage {
    let sessions: BarSessions
    /// The store that replicas share; nil without Redis.
    let store: RedisStore?
    /// The parts that run with the service, in the order of their starts.
    let parts: [ServicePart]

    /// The time that a start waits for Redis; after it the service starts without Redis.
    private static let connectLimit = Duration.seconds(5)

    /// - Throws: the fault if the address or the settings of Redis are wrong; `StartEnded` after a signal.
    init(
        _ configuration: Configuration,
        _ plan: MemoryPlan,
        metrics: PrometheusRegistry,
        untilSignal: AsyncStream<Never>,
        logger: Logger
    ) async throws {
        let clock = SteadyClock()
        guard let addresses = configuration.redis.url?.text else {
            let bars = MemoryBarStore(
                maxSessions: configuration.bars.maxSessions,
                maxBytes: plan.sessionBytes,
                maxSessionsPerClient: configuration.bars.maxSessionsPerClient,
                usualTTLSeconds: Int(configuration.bars.sessionTTL.components.seconds)
            )
            sessions = BarSessions(configuration.bars, in: bars, clock)
            store = nil
            parts = [ServicePart(work: { await bars.sweep { clock.now } })]
            return
        }
        let settings = configuration.redis
        // The faults of the address and of the certificates were found with those of the other settings.
        let redisConfiguration = RedisConfiguration(
            urls: try RedisURL.list(addresses),
            authorities: settings.authorities,
            timeout: settings.timeout
        )
        let latency = Lock(DurationHistogram())
        metrics.observe { metrics in
            let help = "Time from a call of the shared store to its reply."
            metrics.add("springbar_store_latency_seconds", latency.withLock { $0 }, help)
        }
        let redis = try RedisStore(redisConfiguration, prefix: settings.prefix, logger: logger) { time in
            latency.withLock { $0.record(time) }
        }
        if let failure = await BarStorage.firstFailure(of: redis, untilSignal) {
            redis.client.stop()
            if failure == .stopped { throw StartEnded() }
            throw ConfigurationFaults(faults: [failure.fault])
        }
        let bars = SharedBarStore(
            store: redis,
            maxSessionsPerClient: configuration.bars.maxSessionsPerClient,
            // The bars are elsewhere: copies of those that are written to need a part of the memory only.
            copyBytes: plan.sessionBytes / 4,
            logger: logger,
            now: { clock.now }
        )
        sessions = BarSessions(configuration.bars, in: bars, clock)
        store = redis
        parts = [ServicePart(end: { redis.client.stop() }), ServicePart(work: bars.run)]
    }

    /// Waits for the first connection, and tries every command; returns a failure that only other settings can end, or
    /// `stopped` after a signal.
    private static func firstFailure(
        of store: RedisStore,
        _ untilSignal: AsyncStream<Never>
    ) async -> ConnectionFailure? {
        await withTaskGroup(of: ConnectionFailure?.self) { group in
            group.addTask {
                if let failure = await store.client.waitUntilReady() { return failure }
                return await store.missingPermission()
            }
            group.addTask {
                try? await Task.sleep(for: connectLimit)
                return nil
            }
            group.addTask {
                for await _ in untilSignal {}
                return .stopped
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

extension BarSessions {
    fileprivate init(_ settings: Configuration.Bars, in store: any BarStore, _ clock: SteadyClock) {
        self.init(
            store: store,
            ttlSeconds: Int(settings.sessionTTL.components.seconds),
            now: { clock.now },
            makeID: BarSessions.randomIDs(beginningWith: settings.replica)
        )
    }
}

/// The end of a start by a signal.
struct StartEnded: Error {}
