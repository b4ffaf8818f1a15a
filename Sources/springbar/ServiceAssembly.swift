import BarFeature
import Glibc
import HTTPExchange
import Logging
import MicroHTTPServer
import MotionFeature
import PhotoFeature
import Primitives
import SpringbarService

/// Creates all parts, connects them and runs them.
struct ServiceAssembly {
    private let configuration: Configuration
    private let output: LogOutput
    private let metrics = PrometheusRegistry(help: MetricSources.recorded)
    private let readiness = Readiness()
    private let started = Instant.now
    private let plan: MemoryPlan
    /// Shared by the server and the photos: one budget for all requests and answers in flight.
    private let memory: MemoryBudget

    init(_ configuration: Configuration) {
        self.configuration = configuration
        output = LogOutput(
            reportLoss: ServiceLogHandler.lossReport(label: ServiceAssembly.label, format: configuration.logs.format)
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
        for name in configuration.unknownVariables {
            logger.warning("unknown variable", metadata: ["variable": "\(name)"])
        }
        for setting in configuration.withoutEffect {
            let metadata: Logger.Metadata = ["setting": "\(setting.name)", "needs": "\(setting.needs ?? "")"]
            logger.warning("a setting has no effect", metadata: metadata)
        }
        logLowered(logger)
        let descriptors = try raiseDescriptorLimit()
        let library = try PhotoLibrary(configuration, memory: memory, logger: logger)
        let storage = try await BarStorage(configuration, plan, metrics: metrics, logger: logger)
        let bars = storage.sessions
        let photos = PhotoService(
            photoConfiguration,
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
        // They end in reverse order. The server drains first, because it needs the others until then, and the fetches of
        // photos end before the client that performs them.
        let parts =
            storage.parts + [
                ServicePart(end: library.stop),
                ServicePart(work: photos.followBudget, end: photos.stop),
                ServicePart(end: server.drain),
            ]
        await signals.run(parts, logger: logger)
        logger.notice("stopped")
    }

    private var photoConfiguration: PhotoService.Configuration {
        let settings = configuration.photos
        var photos = PhotoService.Configuration(library: settings.usesSandbox ? .sandbox : .unsplash)
        photos.appName = settings.appName
        photos.imageMode = settings.imageMode
        photos.imageCacheBytes = plan.imageCacheBytes
        photos.rateLimitPerHour = settings.rateLimitPerHour
        photos.publicURL = configuration.server.publicURL?.description
        photos.memory = memory
        return photos
    }

    /// Returns the number of descriptors that the process may open.
    private func raiseDescriptorLimit() throws -> Int {
        let descriptors = DescriptorLimit.raise()
        guard descriptors < DescriptorLimit.minimum else { return descriptors }
        let rule = "the limit of open descriptors (ulimit -n) must be at least \(DescriptorLimit.minimum)"
        throw ConfigurationFaults(faults: ["\(rule), was \(descriptors)"])
    }

    private func logger(named label: String) -> Logger {
        let handler = ServiceLogHandler(
            label: label,
            level: configuration.logs.level,
            format: configuration.logs.format,
            output: output
        )
        return Logger(label: label) { _ in handler }
    }

    private func listen(_ server: Server) throws -> BoundAddress {
        do {
            return try server.start()
        } catch {
            guard let fault = ListeningFault(error) else { throw error }
            throw fault.fault(in: configuration)
        }
    }

    /// Logs each setting that was lowered to its share of the container's memory.
    private func logLowered(_ logger: Logger) {
        for setting in plan.lowered {
            logger.notice(
                "lowered to fit the container's memory limit",
                metadata: ["variable": "\(setting.variable)", "value": "\(setting.value)"]
            )
        }
    }

    /// Returns the parts that replicas share for photos; nil without a shared store.
    ///
    /// The sandbox library in the process is not shared: its pictures have the address of this replica.
    private func sharedPhotos(of storage: BarStorage, _ logger: Logger) -> SharedPhotos? {
        guard let store = storage.store else { return nil }
        guard !configuration.photos.usesSandbox else {
            logger.notice("replicas share bars, but not photos, because UNSPLASH_ACCESS_KEY is not set")
            return nil
        }
        // A replica reports once in an interval, after a call that may have to time out.
        let hold = configuration.redis.timeout + SharedPhotos.reportInterval * 2
        return SharedPhotos(store: store, logger: logger, hold: hold)
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
                bars: BarHandlers(bars, streams: ClientShares(limit: configuration.bars.maxStreamsPerClient)),
                motion: motion,
                photos: PhotoHandlers(photos),
                operations: operations,
                playground: PlaygroundHandlers(configuration)
            ),
            configuration: configuration,
            metrics: metrics,
            logger: logger,
            accessLog: configuration.logs.format == .json
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
        let settings = configuration.server
        var server = Server.Configuration(host: settings.host, port: settings.port)
        server.maxBodyBytes = settings.maxBodyBytes
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
        server.maxConnectionsPerClient = MemoryPlan.connectionsPerClient(settings, of: server.maxConnections)
        server.proxies = TrustedProxies(settings.trustedProxies)
        server.reservedConnections = 16
        server.memory = memory
        server.requestTimeout = settings.requestTimeout
        server.idleTimeout = settings.requestTimeout
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
                "library": "\(configuration.photos.usesSandbox ? "sandbox" : "unsplash")",
                "version": "\(Version.text)",
            ]
        )
        guard configuration.logs.format == .text else { return }
        let welcome = Welcome(host: address.host, port: address.port, usesSandbox: configuration.photos.usesSandbox)
        output.add(Array(welcome.description.utf8), isUrgent: true)
    }
}
