package import BarFeature
package import Logging
package import PhotoFeature
package import Primitives
package import SharedState

/// All settings, validated.
package struct Configuration: Sendable {
    package enum ImageMode: String, CaseIterable, Sendable {
        case proxy
        case redirect
    }

    package enum LogFormat: String, CaseIterable, Sendable {
        case json
        case text
    }

    package var host: String
    package var port: Int
    package var accessKey: Secret?
    package var unsplashURL: HTTPOrigin
    package var imageHosts: [String]
    package var appName: String
    package var imageMode: ImageMode
    package var imageCacheBytes: Int
    package var publicURL: HTTPOrigin?
    package var trustedProxies: [CIDR]
    package var rateLimitPerHour: Int
    package var maxSessions: Int
    package var sessionTTL: Duration
    package var sessionBytes: Int
    /// The address of a shared Redis; nil for bars in memory.
    package var redisURL: Secret?
    /// A file of trusted certificates; nil for those of the system.
    package var redisCA: String?
    package var redisPrefix: String
    package var redisTimeout: Duration
    /// The first byte of new ids of bars; nil for a random one.
    package var replica: UInt8?
    package var apiTokens: [Secret]
    package var corsOrigins: [String]
    /// Requests a second for one client address; nil for no limit.
    package var clientRate: Double?
    package var maxBodyBytes: Int
    package var maxConnections: Int
    /// Limit of the memory budget in bytes.
    package var memoryBytes: Int
    /// Connections of one client at one time; 0 for no limit.
    package var maxConnectionsPerClient: Int
    package var maxStreamsPerClient: Int
    package var maxSessionsPerClient: Int
    package var requestTimeout: Duration
    package var logLevel: Logger.Level
    package var logFormat: LogFormat

    /// Calls an hour that the sandbox library allows: Unsplash's limit for applications in production.
    package static let sandboxCallsPerHour = 5000

    /// True without an access key: the sandbox library is used.
    package var usesSandbox: Bool { accessKey == nil }

    /// Reads the settings.
    ///
    /// - Throws: all faults together.
    package init(_ source: SettingSource) throws(ConfigurationFaults) {
        var read = ConfigurationReader(source)
        host = read.text(.host)
        // Names are refused: a resolver must not decide where the server listens.
        if IPAddress(host) == nil { read.note(.host, "must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1") }
        port = read.integer(.port, in: 0...65535)
        accessKey = read.optionalText(.accessKey).map(Secret.init)
        if let key = accessKey, !key.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            read.note(.accessKey, "must be printable ASCII without spaces")
        }
        let unsplashURL = HTTPOrigin(read.text(.unsplashURL))
        if unsplashURL == nil { read.note(.unsplashURL, HTTPOrigin.rule) }
        self.unsplashURL = unsplashURL ?? HTTPOrigin.standard
        imageHosts = read.list(.imageHosts, "a host or host:port") { HTTPOrigin("https://\($0)")?.authority }
        appName = read.text(.appName)
        if !appName.utf8.allSatisfy(PercentEncoding.isUnreserved) {
            read.note(.appName, "must be letters, digits, \"-\", \".\", \"_\" or \"~\"")
        }
        imageMode = read.choice(.imageMode) ?? .proxy
        imageCacheBytes = read.integer(.imageCacheBytes, in: 0...(1 << 40))
        publicURL = read.optionalText(.publicURL).flatMap(HTTPOrigin.init)
        if publicURL == nil, read.optionalText(.publicURL) != nil { read.note(.publicURL, HTTPOrigin.rule) }
        trustedProxies = read.list(.trustedProxies, "an address or a network such as 10.0.0.0/8") { CIDR($0) }
        rateLimitPerHour = read.integer(.rateLimitPerHour, in: 1...1_000_000)
        maxSessions = read.integer(.maxSessions, in: 1...10_000_000)
        sessionTTL = .seconds(read.integer(.sessionTTL, in: 10...86400))
        sessionBytes = read.integer(.sessionBytes, in: (1 << 20)...(1 << 40))
        redisURL = read.optionalText(.redisURL).map(Secret.init)
        redisCA = read.optionalText(.redisCA)
        redisPrefix = read.text(.redisPrefix)
        if !(1...64).contains(redisPrefix.utf8.count) || !redisPrefix.utf8.allSatisfy(PercentEncoding.isUnreserved) {
            read.note(.redisPrefix, "must be 1 to 64 letters, digits, \"-\", \".\", \"_\" or \"~\"")
        }
        redisTimeout = .seconds(read.integer(.redisTimeout, in: 1...60))
        replica = read.optionalText(.replica).flatMap(BarID.firstByte)
        if replica == nil, read.optionalText(.replica) != nil {
            read.note(.replica, "must be two hexadecimal digits in lower case, such as 07")
        }
        apiTokens = read.list(.apiTokens, "at least 16 printable characters") {
            $0.utf8.count >= 16 && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? Secret($0) : nil
        }
        corsOrigins = read.list(.corsOrigins, "* or an origin such as https://example.com") {
            $0 == "*" ? "*" : HTTPOrigin($0).flatMap { $0.path.isEmpty ? $0.description : nil }
        }
        clientRate = read.optionalRate(.clientRate, in: 0.001...1_000_000)
        maxBodyBytes = read.integer(.maxBodyBytes, in: 1024...(64 << 20))
        maxConnections = read.integer(.maxConnections, in: 1...1_000_000)
        // Less than 1 MiB would not hold one request of the default size limit and its answer.
        memoryBytes = read.integer(.memoryBytes, in: (1 << 20)...(1 << 40))
        maxConnectionsPerClient = read.integer(.maxConnectionsPerClient, in: 0...1_000_000)
        maxStreamsPerClient = read.integer(.maxStreamsPerClient, in: 0...1_000_000)
        maxSessionsPerClient = read.integer(.maxSessionsPerClient, in: 0...10_000_000)
        requestTimeout = .seconds(read.integer(.requestTimeout, in: 1...3600))
        logLevel = read.choice(.logLevel) ?? .info
        logFormat = read.choice(.logFormat) ?? .json
        guard read.faults.isEmpty else { throw ConfigurationFaults(faults: read.faults) }
    }
}

/// All faults of the settings.
package struct ConfigurationFaults: Error, CustomStringConvertible, Equatable {
    package let faults: [String]

    package init(faults: [String]) {
        self.faults = faults
    }

    package var description: String {
        "The configuration has \(faults.count == 1 ? "a fault" : "\(faults.count) faults"):\n"
            + faults.map { "  \($0)\n" }.joined()
    }
}

extension Configuration {
    /// Returns the settings of the photos, with the cache size of `plan`.
    package func photos(_ plan: MemoryPlan, memory: MemoryBudget = .unlimited) -> PhotoService.Configuration {
        PhotoService.Configuration(
            library: usesSandbox ? .sandbox : .unsplash,
            appName: appName,
            imageMode: imageMode == .proxy ? .proxy : .redirect,
            imageCacheBytes: plan.imageCacheBytes,
            rateLimitPerHour: rateLimitPerHour,
            publicURL: publicURL?.description,
            memory: memory
        )
    }
}

extension BarSessions {
    /// Creates the sessions with a store in memory.
    package init(_ configuration: Configuration, _ plan: MemoryPlan, clock: SteadyClock = SteadyClock()) {
        self.init(
            store: MemoryBarStore(
                maxSessions: configuration.maxSessions,
                maxBytes: plan.sessionBytes,
                maxSessionsPerClient: configuration.maxSessionsPerClient
            ),
            ttlSeconds: Int(configuration.sessionTTL.components.seconds),
            now: { clock.now },
            makeID: BarSessions.randomIDs(beginningWith: configuration.replica)
        )
    }
}

extension BarSessions {
    /// Creates the sessions with a shared store.
    package init(
        _ configuration: Configuration,
        shared store: SharedBarStore,
        observers: BarObservers,
        clock: SteadyClock
    ) {
        self.init(
            store: store,
            observers: observers,
            ttlSeconds: Int(configuration.sessionTTL.components.seconds),
            now: { clock.now },
            makeID: BarSessions.randomIDs(beginningWith: configuration.replica)
        )
    }
}

extension SharedBarStore {
    /// Creates a store of bars on a shared store.
    package convenience init(
        _ configuration: Configuration,
        _ plan: MemoryPlan,
        store: any SharedStore,
        observers: BarObservers,
        clock: SteadyClock,
        logger: Logger
    ) {
        self.init(
            store: store,
            observers: observers,
            maxSessionsPerClient: configuration.maxSessionsPerClient,
            // The bars are elsewhere: copies of those that are written to need a part of the memory only.
            copyBytes: plan.sessionBytes / 4,
            logger: logger,
            now: { clock.now }
        )
    }
}

extension PlaygroundHandlers {
    /// Creates the playground.
    ///
    /// In the image mode `redirect` the page's content security policy allows the image hosts. A host without a scheme
    /// matches the page's scheme and https.
    package init(_ configuration: Configuration) {
        self.init(
            imageSources: configuration.imageMode == .redirect ? configuration.imageHosts : [],
            publicURL: configuration.publicURL?.description
        )
    }
}

/// A text that is never printed: its descriptions and its mirror do not contain it.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The secret text.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "(set, not shown)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
