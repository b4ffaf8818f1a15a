import ArgumentParser
import BarFeature
import Glibc
import HTTPExchange
import Logging
import MicroHTTPServer
import MotionFeature
import PhotoFeature
import Primitives
import ServiceLifecycle
import SpringbarService

/// Creates all parts, connects them and runs them.
struct ServiceAssembly {
    private let configuration: Configuration
    private let source: SettingSource
    private let output: LogOutput
    private let metrics = PrometheusRegistry(help: MetricHelp.sentences)
    private let readiness = Readiness()
    private let started = Instant.now
    private let plan: MemoryPlan
    /// Shared by the server and the photos: one budget for all requests and answers in flight.
    private let memory: MemoryBudget

    /// - Parameters:
    ///   - configuration: the settings.
    ///   - source: the texts that the settings were read from.
    init(_ configuration: Configuration, from source: SettingSource) {
        self.configuration = configuration
        self.source = source
        output = LogOutput(
            reportLoss: ServiceLogHandler.lossReport(label: ServiceAssembly.label, format: configuration.logFormat)
        )
        plan = MemoryPlan(configuration)
        memory = MemoryBudget(limit: plan.inFlightBytes)
    }

    /// The name of the service's logger.
    private static let label = "springbar"
    /// The time that the log has at the end of the process.
    ///
    /// A blocked standard output must not keep the process alive.
    private static let lastFlush = Duration.seconds(1)

    /// Runs the service until it has drained.
    func run() async throws {
        defer { output.flush(within: ServiceAssembly.lastFlush) }
        let logger = logger(named: ServiceAssembly.label)
        for name in source.unknownVariables { logger.warning("unknown variable", metadata: ["variable": "\(name)"]) }
        for setting in source.withoutEffect {
            let metadata: Logger.Metadata = ["setting": "\(setting.name)", "needs": "\(setting.needs)"]
            logger.warning("a setting has no effect", metadata: metadata)
        }
        logLowered(logger)
        let descriptors = try raiseDescriptorLimit()
        let library = try PhotoLibrary(configuration, memory: memory, logger: logger)
        let storage = try await BarStorage(configuration, plan, metrics: metrics, logger: logger)
        let bars = storage.sessions
        let photos = PhotoService(
            configuration.photos(plan, memory: memory),
            upstream: library.client,
            shared: sharedPhotos(of: storage, logger)
        )
        let motion = MotionHandlers()
        let server = Server(
            configuration: serverConfiguration(logger, descriptors: descriptors),
            responder: try application(bars, motion, photos, logger: logger),
            logger: logger
        )
        MetricSources.observe(server, in: metrics)
        MetricSources.observe(memory, in: metrics)
        MetricSources.observe(bars, photos, in: metrics)
        MetricSources.observe(motion, in: metrics)
        MetricSources.observe(photos, in: metrics)
        MetricSources.observe(output, in: metrics)
        MetricSources.observeProcess(in: metrics)
        let signals = await SignalWatch()
        let address = try listen(server)
        announce(address, logger)
        // They end in reverse order. The server ends first, because it needs the others while it drains.
        let parts: [any Service] =
            storage.parts + [library, PhotoFetching(photos: photos), ServerRun(server: server)]
        try await signals.run(ServiceGroup(services: parts, logger: logger), logger: logger)
        logger.notice("stopped")
    }

    /// Returns the number of descriptors that the process may open.
    ///
    /// - Throws: exit status 78 for too few.
    private func raiseDescriptorLimit() throws -> Int {
        let descriptors = DescriptorLimit.raise()
        guard descriptors < DescriptorLimit.minimum else { return descriptors }
        let rule = "the limit of open descriptors (ulimit -n) must be at least \(DescriptorLimit.minimum)"
        throw refusal(ConfigurationFaults(faults: ["\(rule), was \(descriptors)"]))
    }

    private func logger(named label: String) -> Logger {
        let handler = ServiceLogHandler(
            label: label,
            level: configuration.logLevel,
            format: configuration.logFormat,
            output: output
        )
        return Logger(label: label) { _ in handler }
    }

    private func listen(_ server: Server) throws -> BoundAddress {
        do {
            return try server.start()
        } catch {
            if let fault = ListeningFault(error) { throw refusal(fault.told(of: source)) }
            printError(error.description)
            throw ExitCode(1)
        }
    }

    /// Logs each setting that was lowered to its share of the container's memory.
    private func logLowered(_ logger: Logger) {
        for setting in plan.lowered {
            logger.notice(
                "lowered to fit the container's memory limit",
                metadata: ["variable": "\(setting.variable)", "value": "\(plan.value(of: setting) ?? 0)"]
            )
        }
    }

    /// Returns the parts that replicas share for photos; nil without a shared store.
    ///
    /// The sandbox library in the process is not shared: its pictures have the address of this replica.
    private func sharedPhotos(of storage: BarStorage, _ logger: Logger) -> SharedPhotos? {
        guard let store = storage.store else { return nil }
        guard !configuration.usesSandbox else {
            logger.notice("replicas share bars, but not photos, because UNSPLASH_ACCESS_KEY is not set")
            return nil
        }
        return SharedPhotos(store: store, logger: logger, timeout: configuration.redisTimeout)
    }

    private func application(
        _ bars: BarSessions,
        _ motion: MotionHandlers,
        _ photos: PhotoService,
        logger: Logger
    ) throws -> Application {
        let operations = OperationHandlers(
            readiness: readiness,
            metrics: metrics,
            problems: ProblemPages(.service),
            status: { status(bars, photos) },
            store: { bars.sharedStore?.connection }
        )
        return try SpringbarApplication.make(
            routes: Routes(
                bars: BarHandlers(bars, streams: ClientShares(limit: configuration.maxStreamsPerClient)),
                motion: motion,
                photos: PhotoHandlers(photos),
                operations: operations,
                playground: PlaygroundHandlers(configuration)
            ),
            configuration: configuration,
            metrics: metrics,
            logger: logger,
            accessLog: configuration.logFormat == .json
                ? AccessLines(label: ServiceAssembly.label, output: output) : nil
        )
    }

    private func status(_ bars: BarSessions, _ photos: PhotoService) -> ServiceStatus {
        ServiceStatus(
            uptime: Instant.now - started,
            isDraining: readiness.isDraining,
            bars: bars.statistics,
            store: ServiceStatus.Store(bars.sharedStore, started: started),
            photos: photos.status
        )
    }

    /// Returns the server's settings, with as many connections as there are descriptors for.
    private func serverConfiguration(_ logger: Logger, descriptors: Int) -> Server.Configuration {
        var server = Server.Configuration(host: configuration.host, port: configuration.port)
        server.maxBodyBytes = configuration.maxBodyBytes
        server.maxConnections = DescriptorLimit.connections(
            wanted: plan.maxConnections,
            descriptors: descriptors
        )
        if server.maxConnections < plan.maxConnections {
            logger.notice(
                "connections lowered to what the descriptor limit allows",
                metadata: [
                    "connections": .stringConvertible(server.maxConnections),
                    "descriptors": .stringConvertible(descriptors),
                ]
            )
        }
        server.maxConnectionsPerClient = MemoryPlan.connectionsPerClient(configuration, of: server.maxConnections)
        server.proxies = TrustedProxies(configuration.trustedProxies)
        server.reservedConnections = 16
        server.memory = memory
        server.requestTimeout = configuration.requestTimeout
        server.idleTimeout = configuration.requestTimeout
        server.onDrain = { [readiness] in readiness.beginDraining() }
        return server
    }

    /// Reports the address: as a log line, and in text logs also as a welcome.
    private func announce(_ address: BoundAddress, _ logger: Logger) {
        logger.notice(
            "listening",
            metadata: [
                "host": "\(address.host)",
                "port": .stringConvertible(address.port),
                "library": "\(configuration.usesSandbox ? "sandbox" : "unsplash")",
                "version": "\(Version.text)",
            ]
        )
        guard configuration.logFormat == .text else { return }
        let welcome = Welcome(host: address.host, port: address.port, usesSandbox: configuration.usesSandbox)
        output.add(Array(welcome.description.utf8), isUrgent: true)
    }
}

/// A started server; it drains when its service group shuts down.
struct ServerRun: Service {
    let server: Server

    func run() async throws {
        try? await gracefulShutdown()
        await server.drain()
    }
}

/// The fetches of photos; they end before the client that performs them.
struct PhotoFetching: Service {
    let photos: PhotoService

    func run() async throws {
        await cancelWhenGracefulShutdown { await photos.followBudget() }
        try? await gracefulShutdown()
        await photos.stop()
    }
}
