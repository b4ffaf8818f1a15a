import BarFeature
package import Logging
package import Network
package import Photos
import Primitives

/// All settings, validated.
///
/// The groups declare the settings: an entry has the variable, the description, the kind with its range, and the default.
/// `--help`, `--print-config`, the flags, the warnings and the table in docs/operating.md follow from it.
package struct Configuration: Sendable {
    package let server: Server
    package let bars: Bars
    package let redis: Redis
    package let photos: Photos
    /// A file of design tokens, the springs of a team; nil without one.
    package let designTokens: String?
    package let access: Access
    package let logs: Logs
    /// The settings in the order of their declarations.
    package let settings: [Setting]
    private let environment: Set<String>

    /// The settings without flags and variables.
    package static let declared = Configuration(SettingReader(flags: [:], environment: [:])).settings

    /// Reads the settings; `flags` has texts by variable, and `otherFaults` finds what only other parts can.
    ///
    /// - Throws: all faults together.
    package init(
        flags: [String: String] = [:],
        environment: [String: String] = [:],
        otherFaults: (Configuration) -> [String] = { _ in [] }
    ) throws(ConfigurationFaults) {
        let reader = SettingReader(flags: flags, environment: environment)
        self.init(reader)
        let faults = reader.faults + otherFaults(self)
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
    }

    private init(_ read: SettingReader) {
        server = Server(read)
        bars = Bars(read)
        redis = Redis(read)
        photos = Photos(read)
        designTokens = read("SPRINGBAR_DESIGN_TOKENS", "file of a team's design tokens, read again after SIGHUP")
            .optional("a file") { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        access = Access(read)
        logs = Logs(read)
        settings = read.settings
        environment = Set(read.environment.keys)
    }

    /// Misspelt variables: those with our prefix that are neither settings nor added by Kubernetes.
    package var unknownVariables: [String] {
        environment.subtracting(settings.map(\.variable)).sorted().filter {
            $0.hasPrefix("SPRINGBAR_") && Set($0.split(separator: "_")).isDisjoint(with: ["SERVICE", "TCP", "UDP"])
        }
    }

    /// The hosts besides local ones for which the service answers; nil for all.
    ///
    /// Without a list these are all, unless the service listens on a loopback address without a trusted proxy: only there
    /// the address is the protection. A port that a container publishes for its machine needs the list.
    package var allowedHosts: [String]? {
        let isLocal = IPAddress(server.host)?.isLoopback == true && server.trustedProxies.isEmpty
        guard isLocal || !access.allowedHosts.isEmpty, !access.allowedHosts.contains("*") else { return nil }
        let publicHost = server.publicURL?.authority[...].hostAndPort?.host
        return access.allowedHosts + [publicHost].compactMap { $0.map { String($0.last == "." ? $0.dropLast() : $0) } }
    }

    /// The settings that were set, but have no effect because another one is not set, or is set.
    package var withoutEffect: [Setting] {
        settings.filter { setting in
            setting.origin != .standard
                && settings.contains { other in
                    other.variable == (other.text == nil ? setting.needs : setting.excludedBy)
                }
        }
    }

    /// The settings with their values and origins, for `--print-config`.
    package var report: String {
        let width = settings.map(\.variable.count).max() ?? 0
        return settings.map { setting in
            let name = setting.variable + String(repeating: " ", count: width - setting.variable.count)
            return "\(name)  " + (setting.text.map { "\($0)  [\(setting.origin.rawValue)]\n" } ?? "(not set)\n")
        }
        .joined()
    }
}

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
    /// The address, the connections and the memory of requests.
    package struct Server: Sendable {
        package let host: String
        package let port: Int
        package let publicURL: HTTPOrigin?
        package let trustedProxies: [CIDR]
        package let maxBodyBytes: Int
        package let maxHeadBytes: Int
        package let maxConnections: Int
        /// Connections of one client at one time; 0 for no limit.
        package let maxConnectionsPerClient: Int
        package let memoryBytes: Int
        package let requestTimeout: Duration
        package let idleTimeout: Duration

        init(_ read: SettingReader) {
            // Names are refused: a resolver must not decide where the server listens.
            host = read("SPRINGBAR_HOST", "address that the service listens on")
                .text("an IPv4 or IPv6 address, such as 127.0.0.1 or ::1", default: "127.0.0.1") {
                    IPAddress($0) != nil
                }
            port = read("SPRINGBAR_PORT", "port that the service listens on; 0 for a free one")
                .integer(in: 0...65535, default: 8080)
            publicURL = read("SPRINGBAR_PUBLIC_URL", "base of absolute links, as clients reach this service")
                .optional(HTTPOrigin.rule, HTTPOrigin.init)
            trustedProxies = read("SPRINGBAR_TRUSTED_PROXIES", "networks of proxies; their X-Forwarded-For is used")
                .list("an address or a network such as 10.0.0.0/8") { CIDR($0) }
            maxBodyBytes = read("SPRINGBAR_MAX_BODY_BYTES", "largest content of a request, in bytes")
                .integer(in: 1024...(64 << 20), default: 256 << 10)
            // A connection takes twice as much memory.
            maxHeadBytes = read("SPRINGBAR_MAX_HEAD_BYTES", "largest head of a request without its cookies, in bytes")
                .integer(in: (8 << 10)...(64 << 10), default: 8 << 10)
            maxConnections = read("SPRINGBAR_MAX_CONNECTIONS", "connections at one time")
                .integer(in: 1...1_000_000, default: 4096)
            // At most half of all by default, so that one client never has all.
            let share = read("SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT", "connections of one client; 0 for no limit")
            let half = max(1, min(1024, maxConnections / 2))
            maxConnectionsPerClient = share.integer(in: 0...1_000_000, default: 1024, adjusted: half)
            // Less than 1 MiB would not hold one request of the default size limit and its answer.
            memoryBytes = read("SPRINGBAR_MEMORY_BYTES", "memory of requests, answers and work in flight, in bytes")
                .integer(in: (1 << 20)...(1 << 40), default: 128 << 20)
            let timeout = "seconds for a request, an answer's first byte, a reader that takes nothing"
            let seconds = read("SPRINGBAR_REQUEST_TIMEOUT", timeout).integer(in: 1...3600, default: 30)
            requestTimeout = .seconds(seconds)
            // Balancers keep a connection for 60 s, and would send a request on one that is being closed.
            let idle = read("SPRINGBAR_IDLE_TIMEOUT", "seconds for a connection without traffic")
            idleTimeout = .seconds(idle.integer(in: seconds...3600, default: 75, adjusted: max(75, seconds)))
        }
    }

    /// The bars and their streams.
    package struct Bars: Sendable {
        package let maxSessions: Int
        package let maxSessionsPerClient: Int
        package let sessionBytes: Int
        package let sessionTTL: Duration
        package let maxStreamsPerClient: Int
        /// The first byte of new ids of bars; nil for a random one.
        package let replica: UInt8?

        init(_ read: SettingReader) {
            let limit = "bars in memory at one time"
            maxSessions = read("SPRINGBAR_MAX_SESSIONS", limit, excludedBy: Redis.urlVariable)
                .integer(in: 1...10_000_000, default: 100_000)
            maxSessionsPerClient = read("SPRINGBAR_MAX_SESSIONS_PER_CLIENT", "bars of one client; 0 for no limit")
                .integer(in: 0...10_000_000, default: 10_000)
            sessionBytes = read("SPRINGBAR_SESSION_BYTES", "memory of bars and their logs, in bytes")
                .integer(in: (1 << 20)...(1 << 40), default: 256 << 20)
            let ttl = "seconds from the last write of a bar to its end, unless its ttl is given"
            sessionTTL = .seconds(read("SPRINGBAR_SESSION_TTL", ttl).integer(in: 10...86400, default: 900))
            maxStreamsPerClient = read("SPRINGBAR_MAX_STREAMS_PER_CLIENT", "streams of one client; 0 for no limit")
                .integer(in: 0...1_000_000, default: 256)
            replica = read("SPRINGBAR_REPLICA", "first two hexadecimal digits of new ids, for balancers that use them")
                .optional("two hexadecimal digits in lower case, such as 07", BarID.firstByte)
        }
    }

    /// The Redis that replicas share.
    package struct Redis: Sendable {
        package static let urlVariable = "SPRINGBAR_REDIS_URL"
        package static let authoritiesVariable = "SPRINGBAR_REDIS_CA"

        /// The addresses; nil for bars in memory.
        package let url: Secret?
        /// A file of trusted certificates; nil for those of the system.
        package let authorities: String?
        package let prefix: String
        package let timeout: Duration

        init(_ read: SettingReader) {
            let variable = Redis.urlVariable
            url = read(variable, "Redis for several replicas, or servers of a cluster; without it bars are in memory")
                .optional("an address", Secret.init)
            authorities = read(Redis.authoritiesVariable, "file of certificates for rediss://", needs: variable)
                .optional("a file") { $0 }
            prefix = read("SPRINGBAR_REDIS_PREFIX", "prefix of the keys in Redis", needs: variable)
                .text("1 to 64 letters, digits, \"-\", \".\", \"_\" or \"~\"", default: "sb") {
                    (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(PercentEncoding.isUnreserved)
                }
            let timeout = read("SPRINGBAR_REDIS_TIMEOUT", "seconds for the reply of Redis", needs: variable)
            self.timeout = .seconds(timeout.integer(in: 1...60, default: 2))
        }
    }

    /// The photo library and its images.
    package struct Photos: Sendable {
        /// Calls an hour that the sandbox library allows: Unsplash's limit for applications in production.
        package static let sandboxCallsPerHour = 5000

        package let accessKey: Secret?
        package let apiURL: String
        package let imageHosts: [String]
        package let appName: String
        package let imageMode: PhotoService.Configuration.ImageMode
        package let imageCacheBytes: Int
        package let rateLimitPerHour: Int

        /// True without an access key: the sandbox library is used.
        package var usesSandbox: Bool { accessKey == nil }

        init(_ read: SettingReader) {
            let key = "UNSPLASH_ACCESS_KEY"
            accessKey = read(key, "Unsplash access key; without one the built-in sandbox library is used")
                .optional("printable ASCII without spaces") { isPrintable($0) ? Secret($0) : nil }
            apiURL = read("SPRINGBAR_UNSPLASH_API_URL", "address of the photo API", needs: key)
                .value(HTTPOrigin.rule, default: "https://api.unsplash.com") { HTTPOrigin($0)?.description }
            imageHosts = read("SPRINGBAR_UNSPLASH_IMAGE_HOSTS", "hosts of images, separated by commas", needs: key)
                .list("a host or host:port", default: ["images.unsplash.com", "plus.unsplash.com"]) {
                    HTTPOrigin("https://\($0)").flatMap { $0.path.isEmpty ? $0.authority : nil }
                }
            appName = read("SPRINGBAR_APP_NAME", "utm_source of the attribution links")
                .text("letters, digits, \"-\", \".\", \"_\" or \"~\"", default: "springbar") {
                    $0.utf8.allSatisfy(PercentEncoding.isUnreserved)
                }
            imageMode = read("SPRINGBAR_IMAGE_MODE", "proxy sends the image, redirect answers 307 to the hotlink")
                .choice(default: .proxy)
            imageCacheBytes = read("SPRINGBAR_IMAGE_CACHE_BYTES", "size of the image cache, in bytes")
                .integer(in: 0...(1 << 40), default: 64 << 20)
            // Unsplash allows a new application 50 calls an hour.
            let sandboxCalls = accessKey == nil ? Photos.sandboxCallsPerHour : nil
            let calls = "calls of the photo API an hour; 5000 by default without an access key"
            rateLimitPerHour = read("SPRINGBAR_RATE_LIMIT_PER_HOUR", calls)
                .integer(in: 1...1_000_000, default: 50, adjusted: sandboxCalls)
        }
    }

    /// The clients that may call, and how often.
    package struct Access: Sendable {
        package let tokens: [Secret]
        /// In lower case; `*` is any.
        package let allowedHosts: [String]
        package let corsOrigins: [String]
        /// Requests a second for one client address; nil for no limit.
        package let clientRate: Double?

        init(_ read: SettingReader) {
            tokens = read("SPRINGBAR_API_TOKENS", "bearer tokens for /v1 and /unsplash, separated by commas")
                .list("at least 16 printable characters") {
                    $0.utf8.count >= 16 && isPrintable($0) ? Secret($0) : nil
                }
            let hosts = "only hosts, besides local ones, for which the service answers, separated by commas; * for any"
            allowedHosts = read("SPRINGBAR_ALLOWED_HOSTS", hosts).list("a host without a port, or *") { text in
                if text == "*" { return text }
                let (host, port) = text.lowercased()[...].hostAndPort ?? ("", nil)
                // The root label of a full name is not compared.
                let name = host.last == "." ? host.dropLast() : host
                let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:".contains($0)) }
                return name.isEmpty || name.first == "." || port != nil || !isName ? nil : String(name)
            }
            corsOrigins = read("SPRINGBAR_CORS_ORIGINS", "origins of browsers, separated by commas; * for any")
                .list("* or an origin such as https://example.com") {
                    $0 == "*" ? "*" : HTTPOrigin($0).flatMap { $0.path.isEmpty ? $0.description : nil }
                }
            clientRate = read("SPRINGBAR_CLIENT_RATE", "requests a second for one client address")
                .optional("a number from 0.001 to 1000000") { text in
                    NumberGrammar.double(text).flatMap { (0.001...1_000_000).contains($0) ? $0 : nil }
                }
        }
    }

    /// The lines on standard output.
    package struct Logs: Sendable {
        package enum Format: String, CaseIterable, Sendable {
            case json
            case text
        }

        package let level: Logger.Level
        package let format: Format

        init(_ read: SettingReader) {
            level = read("SPRINGBAR_LOG_LEVEL", "trace, debug, info, notice, warning, error or critical")
                .choice(default: .info)
            format = read("SPRINGBAR_LOG_FORMAT", "json or text").choice(default: .json)
        }
    }
}

/// Returns whether `text` is ASCII without spaces and control characters.
private func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
