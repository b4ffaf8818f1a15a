/// A setting of the service.
///
/// The raw value is the environment variable. The flag is derived from it: `SPRINGBAR_MAX_BODY_BYTES` is
/// `--max-body-bytes`.
package enum Setting: String, CaseIterable, Sendable {
    case host = "SPRINGBAR_HOST"
    case port = "SPRINGBAR_PORT"
    case accessKey = "UNSPLASH_ACCESS_KEY"
    case unsplashURL = "SPRINGBAR_UNSPLASH_API_URL"
    case imageHosts = "SPRINGBAR_UNSPLASH_IMAGE_HOSTS"
    case appName = "SPRINGBAR_APP_NAME"
    case imageMode = "SPRINGBAR_IMAGE_MODE"
    case imageCacheBytes = "SPRINGBAR_IMAGE_CACHE_BYTES"
    case publicURL = "SPRINGBAR_PUBLIC_URL"
    case trustedProxies = "SPRINGBAR_TRUSTED_PROXIES"
    case rateLimitPerHour = "SPRINGBAR_RATE_LIMIT_PER_HOUR"
    case maxSessions = "SPRINGBAR_MAX_SESSIONS"
    case sessionTTL = "SPRINGBAR_SESSION_TTL"
    case sessionBytes = "SPRINGBAR_SESSION_BYTES"
    case redisURL = "SPRINGBAR_REDIS_URL"
    case redisCA = "SPRINGBAR_REDIS_CA"
    case redisPrefix = "SPRINGBAR_REDIS_PREFIX"
    case redisTimeout = "SPRINGBAR_REDIS_TIMEOUT"
    case replica = "SPRINGBAR_REPLICA"
    case apiTokens = "SPRINGBAR_API_TOKENS"
    case corsOrigins = "SPRINGBAR_CORS_ORIGINS"
    case clientRate = "SPRINGBAR_CLIENT_RATE"
    case maxBodyBytes = "SPRINGBAR_MAX_BODY_BYTES"
    case maxConnections = "SPRINGBAR_MAX_CONNECTIONS"
    case memoryBytes = "SPRINGBAR_MEMORY_BYTES"
    case maxConnectionsPerClient = "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT"
    case maxStreamsPerClient = "SPRINGBAR_MAX_STREAMS_PER_CLIENT"
    case maxSessionsPerClient = "SPRINGBAR_MAX_SESSIONS_PER_CLIENT"
    case requestTimeout = "SPRINGBAR_REQUEST_TIMEOUT"
    case logLevel = "SPRINGBAR_LOG_LEVEL"
    case logFormat = "SPRINGBAR_LOG_FORMAT"

    /// The environment variable.
    package var variable: String { rawValue }

    /// The command line flag without its dashes; nil for a secret, because every process can read command lines.
    package var flag: String? {
        if isSecret { return nil }
        let prefix = "SPRINGBAR_"
        return rawValue.dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")
    }

    /// True for a setting that is never printed, logged or read from the command line.
    package var isSecret: Bool {
        self == .accessKey || self == .apiTokens || self == .redisURL
    }

    /// The default; nil for a setting that is off by default.
    package var defaultText: String? {
        switch self {
        case .host: "127.0.0.1"
        case .port: "8080"
        case .unsplashURL: "https://api.unsplash.com"
        case .imageHosts: "images.unsplash.com,plus.unsplash.com"
        case .appName: "springbar"
        case .imageMode: "proxy"
        case .imageCacheBytes: "67108864"
        case .rateLimitPerHour: "50"
        case .maxSessions: "100000"
        case .sessionTTL: "900"
        case .sessionBytes: "268435456"
        case .redisPrefix: "sb"
        case .redisTimeout: "2"
        case .maxBodyBytes: "262144"
        case .maxConnections: "4096"
        case .memoryBytes: "134217728"
        case .maxConnectionsPerClient: "1024"
        case .maxStreamsPerClient: "256"
        case .maxSessionsPerClient: "10000"
        case .requestTimeout: "30"
        case .logLevel: "info"
        case .logFormat: "json"
        case .accessKey, .publicURL, .trustedProxies, .redisURL, .redisCA, .replica: nil
        case .apiTokens, .corsOrigins, .clientRate: nil
        }
    }

    /// The description in `--help`.
    package var summary: String {
        switch self {
        case .host: "address that the service listens on"
        case .port: "port that the service listens on; 0 for a free one"
        case .accessKey: "Unsplash access key; without one the built-in sandbox library is used"
        case .unsplashURL: "address of the photo API"
        case .imageHosts: "hosts of images: host or host:port, separated by commas"
        case .appName: "utm_source of the attribution links"
        case .imageMode: "proxy sends the image, redirect answers 307 to the hotlink"
        case .imageCacheBytes: "size of the image cache, in bytes"
        case .publicURL: "base of absolute links, as clients reach this service"
        case .trustedProxies: "networks (CIDR) of trusted proxies, separated by commas; their X-Forwarded-For is used"
        case .rateLimitPerHour: "calls of the photo API an hour; the built-in library allows 5000"
        case .maxSessions: "bars in memory at one time"
        case .sessionTTL: "seconds from the last write of a bar to its end, unless its ttl is given"
        case .sessionBytes: "limit of the memory of bars and their logs, in bytes"
        case .redisURL: "Redis for several replicas, or servers of a cluster by commas; without it bars are in memory"
        case .redisCA: "file of the certificates that rediss:// trusts; the system's by default"
        case .redisPrefix: "prefix of the keys in Redis"
        case .redisTimeout: "seconds for the reply of Redis"
        case .replica: "two hexadecimal digits at the start of new ids of bars, for balancers that route by them"
        case .apiTokens: "bearer tokens for /v1 and /unsplash, separated by commas"
        case .corsOrigins: "origins that browsers may call from, separated by commas; * for any"
        case .clientRate: "requests a second for one client address"
        case .maxBodyBytes: "largest content of a request, in bytes"
        case .maxConnections: "connections at one time"
        case .memoryBytes: "limit of the memory of requests, answers and work in flight, in bytes"
        case .maxConnectionsPerClient: "connections of one client address at one time; 0 for no limit"
        case .maxStreamsPerClient: "open streams of one client address at one time; 0 for no limit"
        case .maxSessionsPerClient: "bars of one client address at one time; 0 for no limit"
        case .requestTimeout: "seconds for receiving a request, for an answer's first byte, for an idle connection"
        case .logLevel: "trace, debug, info, notice, warning, error or critical"
        case .logFormat: "json or text"
        }
    }
}
