import ArgumentParser
import Glibc
import Primitives
import SpringbarService

/// Returns the settings of the command line and of the environment.
func settingSource(_ flags: [Setting: String]) -> SettingSource {
    SettingSource(flags: flags, environment: environmentVariables())
}

/// Returns the configuration, or ends the command: faults go to standard error, the exit status is 78 (EX_CONFIG).
func readConfiguration(_ flags: [Setting: String]) throws -> Configuration {
    let source = settingSource(flags)
    let redisFaults = RedisSettings(source).faults
    do throws(ConfigurationFaults) {
        let configuration = try Configuration(source)
        if redisFaults.isEmpty { return configuration }
    } catch {
        throw refusal(ConfigurationFaults(faults: error.faults + redisFaults))
    }
    throw refusal(ConfigurationFaults(faults: redisFaults))
}

/// Writes the faults to standard error and returns exit status 78 (EX_CONFIG).
func refusal(_ faults: ConfigurationFaults) -> ExitCode {
    printError(faults.description)
    return ExitCode(78)
}

/// Writes a line to standard error.
func printError(_ text: String) {
    let line = Array((text.last == "\n" ? text : text + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Returns the environment of the process.
///
/// It is read at the start, while there is one thread: environ(7) has no lock.
private func environmentVariables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
        let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
        entry += 1
    }
    return variables
}

/// The address of the service as flags.
struct AddressFlags: ParsableArguments {
    @Option(name: flag(.host), help: help(.host)) var host: String?
    @Option(name: flag(.port), help: help(.port)) var port: String?

    /// The settings that the command line has.
    var texts: [Setting: String] {
        let given: [Setting: String?] = [.host: host, .port: port]
        return given.compactMapValues { $0 }
    }
}

/// The settings as flags.
///
/// Names and help texts come from `Setting`. Secrets have no flag.
struct SettingFlags: ParsableArguments {
    @OptionGroup var address: AddressFlags
    @Option(name: flag(.unsplashURL), help: help(.unsplashURL)) var unsplashURL: String?
    @Option(name: flag(.imageHosts), help: help(.imageHosts)) var imageHosts: String?
    @Option(name: flag(.appName), help: help(.appName)) var appName: String?
    @Option(name: flag(.imageMode), help: help(.imageMode)) var imageMode: String?
    @Option(name: flag(.imageCacheBytes), help: help(.imageCacheBytes)) var imageCacheBytes: String?
    @Option(name: flag(.publicURL), help: help(.publicURL)) var publicURL: String?
    @Option(name: flag(.trustedProxies), help: help(.trustedProxies)) var trustedProxies: String?
    @Option(name: flag(.rateLimitPerHour), help: help(.rateLimitPerHour)) var rateLimitPerHour: String?
    @Option(name: flag(.maxSessions), help: help(.maxSessions)) var maxSessions: String?
    @Option(name: flag(.sessionTTL), help: help(.sessionTTL)) var sessionTTL: String?
    @Option(name: flag(.sessionBytes), help: help(.sessionBytes)) var sessionBytes: String?
    @Option(name: flag(.redisCA), help: help(.redisCA)) var redisCA: String?
    @Option(name: flag(.redisPrefix), help: help(.redisPrefix)) var redisPrefix: String?
    @Option(name: flag(.redisTimeout), help: help(.redisTimeout)) var redisTimeout: String?
    @Option(name: flag(.replica), help: help(.replica)) var replica: String?
    @Option(name: flag(.corsOrigins), help: help(.corsOrigins)) var corsOrigins: String?
    @Option(name: flag(.clientRate), help: help(.clientRate)) var clientRate: String?
    @Option(name: flag(.maxBodyBytes), help: help(.maxBodyBytes)) var maxBodyBytes: String?
    @Option(name: flag(.maxConnections), help: help(.maxConnections)) var maxConnections: String?
    @Option(name: flag(.memoryBytes), help: help(.memoryBytes)) var memoryBytes: String?
    @Option(name: flag(.maxConnectionsPerClient), help: help(.maxConnectionsPerClient))
    var maxConnectionsPerClient: String?
    @Option(name: flag(.maxStreamsPerClient), help: help(.maxStreamsPerClient)) var maxStreamsPerClient: String?
    @Option(name: flag(.maxSessionsPerClient), help: help(.maxSessionsPerClient)) var maxSessionsPerClient: String?
    @Option(name: flag(.requestTimeout), help: help(.requestTimeout)) var requestTimeout: String?
    @Option(name: flag(.logLevel), help: help(.logLevel)) var logLevel: String?
    @Option(name: flag(.logFormat), help: help(.logFormat)) var logFormat: String?

    /// The settings that the command line has.
    var texts: [Setting: String] {
        let given: [Setting: String?] = [
            .unsplashURL: unsplashURL, .imageHosts: imageHosts, .appName: appName, .imageMode: imageMode,
            .imageCacheBytes: imageCacheBytes, .publicURL: publicURL,
            .trustedProxies: trustedProxies, .rateLimitPerHour: rateLimitPerHour, .maxSessions: maxSessions,
            .sessionTTL: sessionTTL, .sessionBytes: sessionBytes, .redisCA: redisCA, .redisPrefix: redisPrefix,
            .redisTimeout: redisTimeout, .replica: replica, .corsOrigins: corsOrigins, .clientRate: clientRate,
            .maxBodyBytes: maxBodyBytes, .maxConnections: maxConnections, .requestTimeout: requestTimeout,
            .memoryBytes: memoryBytes, .maxConnectionsPerClient: maxConnectionsPerClient,
            .maxStreamsPerClient: maxStreamsPerClient, .maxSessionsPerClient: maxSessionsPerClient,
            .logLevel: logLevel, .logFormat: logFormat,
        ]
        return given.compactMapValues { $0 }.merging(address.texts) { $1 }
    }
}

/// Returns the whole number of an argument, in the grammar of the settings.
@Sendable func wholeNumber(_ text: String) throws -> Int {
    guard let number: Int = NumberGrammar.integer(text) else {
        throw ValidationError("must be a whole number, was \"\(text)\"")
    }
    return number
}

private func flag(_ setting: Setting) -> NameSpecification {
    // Only secrets have no flag, and the list above has no secret.
    setting.flag.map { .customLong($0) } ?? .long
}

private func help(_ setting: Setting) -> ArgumentHelp {
    let standard = setting.defaultText.map { " (default: \($0))" } ?? ""
    return "\(setting.summary)\(standard) [\(setting.variable)]"
}
