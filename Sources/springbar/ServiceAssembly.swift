import BarFeature
import Glibc
import HTTPExchange
import Logging
import MessageAuthentication
import MicroHTTPServer
import MotionFeature
import Network
import PhotoLibrary
import Photos
import Primitives
import SharedState
import SpringbarService

/// Creates all parts, connects them and runs them.
struct ServiceAssembly {
    private let configuration: Configuration
    let output: LogOutput
    private let log: ServiceLogHandler
    private let logger: Logger
    private let metrics = PrometheusRegistry()
    private let readiness = Readiness()
    let started = Instant.now
    private let plan: MemoryPlan
    /// Shared by the server and the photos: one budget for all requests and answers in flight.
    let memory: MemoryBudget

    /// The number of descriptors that the process may open.
    private let descriptors: Int

    init(_ configuration: Configuration) throws(ConfigurationFaults) {
        self.configuration = configuration
        // First: everything else needs some.
        descriptors = try Self.raiseDescriptorLimit()
        let lines = LogLines(label: "springbar", format: configuration.logs.format)
        output = LogOutput(reportLoss: lines.loss)
        let log = ServiceLogHandler(lines: lines, level: configuration.logs.level, output: output)
        self.log = log
        logger = Logger(label: "springbar") { _ in log }
        plan = MemoryPlan(configuration)
        memory = MemoryBudget(limit: plan.inFlightBytes)
    }

    /// The time that the log has at the end: a blocked standard output must not keep the process alive.
    private static let lastFlush = Duration.seconds(1)

    /// Runs the service until it has drained.
    func run() async throws {
        defer { output.flush(within: ServiceAssembly.lastFlush) }
        for name in configuration.unknownVariables {
            logger.warning("unknown variable", metadata: ["variable": "\(name)"])
        }
        for setting in configuration.withoutEffect {
            let cause = setting.needs.map { ("needs", $0) } ?? ("excludedBy", setting.excludedBy ?? "")
            let metadata: Logger.Metadata = ["setting": "\(setting.name)", cause.0: "\(cause.1)"]
            logger.warning("a setting has no effect", metadata: metadata)
        }
        for setting in plan.lowered {
            let metadata: Logger.Metadata = ["variable": "\(setting.variable)", "value": "\(setting.value)"]
            logger.notice("lowered to fit the container's memory limit", metadata: metadata)
        }
        // A terminal that is closed sends SIGHUP, too, and the service of its user is to end with it.
        let signals = await SignalWatch(reloads: configuration.designTokens != nil || isatty(STDIN_FILENO) == 0)
        let storage: BarStorage
        do {
            storage = try await BarStorage(
                configuration,
                plan,
                metrics: metrics,
                untilSignal: signals.untilFirst,
                logger: logger
            )
        } catch is StartEnded {
            logger.notice("stopped")
            return
        }
        let photoSource = try PhotoSource(configuration, memory: memory, logger: logger)
        let bars = storage.sessions
        let photos = PhotoService(photoConfiguration, library: photoSource.library, shared: answerStore(in: storage))
        let motion = MotionHandlers(cacheBytes: plan.motionCacheBytes)
        let designTokens = try configuration.designTokens.map {
            try DesignTokenFile($0, for: motion.designTokens)
        }
        let server = Server(
            configuration: serverConfiguration(),
            responder: application(bars, motion, photos),
            logger: logger
        )
        let start = SteadyClock().time(at: started)
        metrics.observe { [self] in
            readServer(server, into: &$0)
            readBars(bars, photos, into: &$0)
            readCaches(photos, motion, into: &$0)
            readProcess(since: start, into: &$0)
        }
        announce(try listen(server))
        // They end in reverse order: the server drains first, and photos stop before their client.
        let parts =
            storage.parts + [
                ServicePart(work: { [logger, hangUps = signals.hangUps] in
                    if let designTokens { return await designTokens.follow(hangUps, logger: logger) }
                    for await _ in hangUps { logger.notice("nothing to read again") }
                }),
                ServicePart(end: photoSource.stop),
                ServicePart(end: photos.stop),
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
        photos.answerCacheBytes = plan.photoCacheBytes
        photos.rateLimitPerHour = settings.rateLimitPerHour
        photos.publicURL = configuration.server.publicURL?.description
        photos.allowedOrigins = configuration.access.corsOrigins
        photos.signatures = LinkSignatures(tokens: configuration.access.tokens.map(\.text), HMAC.sha256)
        photos.memory = memory
        return photos
    }

    /// Returns the number of descriptors that the process may open.
    private static func raiseDescriptorLimit() throws(ConfigurationFaults) -> Int {
        let descriptors = DescriptorLimit.raise()
        guard descriptors < DescriptorLimit.minimum else { return descriptors }
        let rule = "the limit of open descriptors (ulimit -n) must be at least \(DescriptorLimit.minimum)"
        throw ConfigurationFaults(faults: ["\(rule), was \(descriptors)"])
    }

    private func listen(_ server: Server) throws -> BoundAddress {
        do {
            return try server.start()
        } catch {
            throw error.asFault { flag in
                guard let setting = configuration.settings.first(where: { $0.flag == flag }) else { return (flag, "") }
                // If neither was set, the message names both the flag and the variable.
                let name = setting.origin == .standard ? "\(flag) or \(setting.variable)" : setting.name
                return (name, setting.text ?? "")
            }
        }
    }

    /// Returns the store of the answers that replicas share; nil without a shared store.
    ///
    /// The sandbox library in the process is not shared: its pictures have the address of this replica.
    private func answerStore(in storage: BarStorage) -> AnswerStore? {
        guard let store = storage.store else { return nil }
        guard !configuration.photos.usesSandbox else {
            logger.notice("replicas share bars, but not photos, because UNSPLASH_ACCESS_KEY is not set")
            return nil
        }
        return AnswerStore(store: store, logger: logger)
    }

    private func application(_ bars: BarSessions, _ motion: MotionHandlers, _ photos: PhotoService) -> Application {
        let operations = OperationHandlers(
            readiness: readiness,
            metrics: metrics,
            status: { status(bars, photos) },
            store: { bars.store.shared?.connection }
        )
        return SpringbarApplication.make(
            routes: Routes.table(
                bars: BarHandlers(bars, streams: ClientShares(limit: configuration.bars.maxStreamsPerClient)),
                motion: motion,
                photos: PhotoHandlers(photos),
                operations: operations,
                playground: PlaygroundHandlers(configuration)
            ),
            configuration: configuration,
            metrics: metrics,
            logger: logger,
            accessLog: configuration.logs.format == .json ? log.write : nil
        )
    }

    private func status(_ bars: BarSessions, _ photos: PhotoService) -> [UInt8] {
        let store = bars.store.shared?.connection
        return ServiceStatus.json(
            uptime: Instant.now - started,
            isDraining: readiness.isDraining,
            bars: bars.store.statistics,
            store: store,
            storeSince: SteadyClock().time(at: store?.since ?? started),
            photos: photos.status
        )
    }

    /// Returns the server's settings, with as many connections as there are descriptors for.
    private func serverConfiguration() -> Server.Configuration {
        let settings = configuration.server
        var server = Server.Configuration(host: settings.host, port: settings.port)
        server.maxBodyBytes = plan.maxBodyBytes
        server.maxThreads = plan.maxThreads
        server.maxConnections = DescriptorLimit.connections(wanted: plan.maxConnections, descriptors: descriptors)
        if server.maxConnections < plan.maxConnections {
            let metadata: Logger.Metadata = [
                "connections": .stringConvertible(server.maxConnections),
                "descriptors": .stringConvertible(descriptors),
            ]
            logger.notice("connections lowered to what the descriptor limit allows", metadata: metadata)
        }
        server.maxConnectionsPerClient = MemoryPlan.connectionsPerClient(settings, of: server.maxConnections)
        server.proxies = TrustedProxies(settings.trustedProxies)
        server.reservedConnections = 64
        server.memory = memory
        server.requestTimeout = settings.requestTimeout
        server.idleTimeout = settings.idleTimeout
        server.maxHeadBytes = settings.maxHeadBytes
        server.socketBufferBytes = plan.socketBufferBytes
        server.onDrain = { [readiness] in readiness.beginDraining() }
        return server
    }

    /// Reports the address: as a log line, and in text logs also as a welcome.
    private func announce(_ address: BoundAddress) {
        logger.notice(
            "listening",
            metadata: [
                "host": "\(address.host)", "port": .stringConvertible(address.port),
                "library": "\(configuration.photos.usesSandbox ? "sandbox" : "unsplash")", "version": "\(Version.text)",
            ]
        )
        guard configuration.logs.format == .text else { return }
        let usesSandbox = configuration.photos.usesSandbox
        let welcome = Welcome.text(host: address.host, port: address.port, usesSandbox: usesSandbox)
        output.add(Array(welcome.utf8), isUrgent: true)
    }
}
