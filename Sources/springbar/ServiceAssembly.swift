import ArgumentParser
import Glibc
import HTTPExchange
import Logging
import MicroHTTPServer
import ServiceLifecycle
import SpringbarService

/// Puts the parts together and runs them: the one place that knows all of them.
struct ServiceAssembly {
    private let configuration: Configuration
    private let unknownVariables: [String]
    private let output = LogOutput()
    private let metrics = PrometheusRegistry(help: MetricHelp.sentences)
    private let readiness = Readiness()
    private let started = ContinuousClock.now

    init(_ configuration: Configuration, unknownVariables: [String]) {
        self.configuration = configuration
        self.unknownVariables = unknownVariables
    }

    /// Runs the service until it has drained.
    func run() async throws {
        defer { output.flush() }
        let logger = logger(named: "springbar")
        for name in unknownVariables { logger.warning("unknown variable", metadata: ["variable": "\(name)"]) }
        let server = Server(
            configuration: serverConfiguration,
            responder: try application(logger: logger),
            logger: logger
        )
        MetricSources.observe(server, in: metrics)
        MetricSources.observeProcess(in: metrics)
        let signals = await SignalWatch()
        let address = try listen(server)
        announce(address, logger)
        try await signals.run(group(around: server, logger: logger), logger: logger)
        logger.notice("stopped")
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
            printError(error.description)
            throw ExitCode(1)
        }
    }

    private func application(logger: Logger) throws -> Application {
        guard let contract = Asset("openapi.yaml") else { preconditionFailure("the contract is built in") }
        let operations = OperationHandlers(
            readiness: readiness,
            metrics: metrics,
            problems: ProblemPages(.service),
            contract: contract,
            status: { status }
        )
        return try SpringbarApplication.make(
            routes: Routes(motion: MotionHandlers(), operations: operations),
            configuration: configuration,
            metrics: metrics,
            logger: logger
        )
    }

    private var status: ServiceStatus {
        ServiceStatus(
            uptime: started.duration(to: .now),
            isDraining: readiness.isDraining,
            bars: .init(sessions: 0, maxSessions: configuration.maxSessions),
            photos: .init(
                library: configuration.usesSandbox ? "sandbox" : "unsplash",
                upstream: "ok",
                budget: .init(limit: configuration.rateLimitPerHour, remaining: 0, resetsInSeconds: 0),
                imageCache: .init(entries: 0, bytes: 0, maxBytes: configuration.imageCacheBytes, hits: 0, misses: 0)
            )
        )
    }

    private var serverConfiguration: Server.Configuration {
        var server = Server.Configuration(host: configuration.host, port: configuration.port)
        server.maxBodyBytes = configuration.maxBodyBytes
        server.maxConnections = configuration.maxConnections
        server.requestTimeout = configuration.requestTimeout
        server.idleTimeout = configuration.requestTimeout
        server.onDrain = { [readiness] in readiness.beginDraining() }
        return server
    }

    /// Says where the service is: to machines as a log line, to people in words.
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
        output.flush()
        guard configuration.logFormat == .text else { return }
        print(Welcome(host: address.host, port: address.port, usesSandbox: configuration.usesSandbox))
        fflush(nil)
    }

    /// The parts that run; they end in reverse order, the log last.
    private func group(around server: Server, logger: Logger) -> ServiceGroup {
        ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: LogWriting(output: output)),
                    .init(service: ServerRun(server: server)),
                ],
                logger: logger
            )
        )
    }
}
