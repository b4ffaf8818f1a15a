import HTTPExchange
import Logging
import SpringbarService
import Testing

@Suite("Configuration")
struct ConfigurationTests {
    private func read(
        _ environment: [String: String] = [:],
        flags: [Setting: String] = [:]
    ) throws(ConfigurationFaults) -> Configuration {
        try Configuration(SettingSource(flags: flags, environment: environment))
    }

    @Test("Without settings, the configuration has the defaults of the contract")
    func defaults() throws {
        let configuration = try read()
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.accessKey == nil)
        #expect(configuration.unsplashURL.description == "https://api.unsplash.com")
        #expect(configuration.imageHosts == ["images.unsplash.com", "plus.unsplash.com"])
        #expect(configuration.imageMode == .proxy)
        #expect(configuration.imageCacheBytes == 64 << 20)
        #expect(configuration.rateLimitPerHour == 5000)
        #expect(configuration.maxSessions == 100_000)
        #expect(configuration.sessionTTL == .seconds(900))
        #expect(configuration.sessionBytes == 256 << 20)
        #expect(configuration.apiTokens.isEmpty)
        #expect(configuration.corsOrigins.isEmpty)
        #expect(configuration.clientRate == nil)
        #expect(configuration.maxBodyBytes == 256 << 10)
        #expect(configuration.maxConnections == 4096)
        #expect(configuration.memoryBytes == 128 << 20)
        #expect(configuration.maxConnectionsPerClient == 1024)
        #expect(configuration.maxStreamsPerClient == 256)
        #expect(configuration.maxSessionsPerClient == 10_000)
        #expect(configuration.requestTimeout == .seconds(30))
        #expect(configuration.logLevel == .info)
        #expect(configuration.logFormat == .json)
    }

    @Test("The calls per hour are the upstream's 50 with a key, and the production tier's with the sandbox library")
    func callsPerHour() throws {
        #expect(try read(["UNSPLASH_ACCESS_KEY": "key"]).rateLimitPerHour == 50)
        #expect(try read(["SPRINGBAR_RATE_LIMIT_PER_HOUR": "50"]).rateLimitPerHour == 50)
        let lines = ConfigurationReport(SettingSource()).description.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("SPRINGBAR_RATE_LIMIT_PER_HOUR") }
        #expect(line?.hasSuffix("5000  [default]") == true)
    }

    @Test("A flag overrides the environment, which overrides the default")
    func precedence() throws {
        let environment = ["SPRINGBAR_PORT": "9000", "SPRINGBAR_HOST": "::1"]
        let configuration = try read(environment, flags: [.port: "9100"])
        #expect(configuration.port == 9100)
        #expect(configuration.host == "::1")
    }

    @Test("An empty variable counts as not set")
    func emptyVariable() throws {
        #expect(try read(["UNSPLASH_ACCESS_KEY": "", "SPRINGBAR_PORT": ""]).accessKey == nil)
    }

    @Test(
        "A fault names the setting as it was given, the rule and the text",
        arguments: [
            (
                "SPRINGBAR_HOST", "localhost",
                "SPRINGBAR_HOST: must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1, was \"localhost\""
            ),
            ("SPRINGBAR_PORT", "http", "SPRINGBAR_PORT: must be a whole number from 0 to 65535, was \"http\""),
            ("SPRINGBAR_PORT", "65536", "SPRINGBAR_PORT: must be a whole number from 0 to 65535, was \"65536\""),
            (
                "SPRINGBAR_PORT", "tcp://10.0.0.1:80",
                "SPRINGBAR_PORT: must be a whole number from 0 to 65535; this looks like a Kubernetes service link"
                    + " (set enableServiceLinks: false), was \"tcp://10.0.0.1:80\""
            ),
            (
                "SPRINGBAR_LOG_LEVEL", "loud",
                "SPRINGBAR_LOG_LEVEL: must be one of trace, debug, info, notice, warning, error, critical, was \"loud\""
            ),
            ("SPRINGBAR_IMAGE_MODE", "both", "SPRINGBAR_IMAGE_MODE: must be one of proxy, redirect, was \"both\""),
            (
                "SPRINGBAR_TRUSTED_PROXIES", "10.0.0.0/8,10.0.0.0/33",
                "SPRINGBAR_TRUSTED_PROXIES: each part must be an address or a network such as 10.0.0.0/8,"
                    + " was \"10.0.0.0/33\""
            ),
            (
                "SPRINGBAR_UNSPLASH_API_URL", "ftp://x",
                "SPRINGBAR_UNSPLASH_API_URL: must be an http:// or https:// URL without query or user, was \"ftp://x\""
            ),
            (
                "SPRINGBAR_CORS_ORIGINS", "https://a.example/path",
                "SPRINGBAR_CORS_ORIGINS: each part must be * or an origin such as https://example.com,"
                    + " was \"https://a.example/path\""
            ),
            (
                "SPRINGBAR_CLIENT_RATE", "nan",
                "SPRINGBAR_CLIENT_RATE: must be a number from 0.001 to 1000000, was \"nan\""
            ),
            (
                "SPRINGBAR_CLIENT_RATE", "1e-20",
                "SPRINGBAR_CLIENT_RATE: must be a number from 0.001 to 1000000, was \"1e-20\""
            ),
            (
                "SPRINGBAR_REDIS_PREFIX", "a:b",
                "SPRINGBAR_REDIS_PREFIX: must be 1 to 64 letters, digits, \"-\", \".\", \"_\" or \"~\", was \"a:b\""
            ),
            ("SPRINGBAR_REDIS_TIMEOUT", "0", "SPRINGBAR_REDIS_TIMEOUT: must be a whole number from 1 to 60, was \"0\""),
            (
                "SPRINGBAR_REPLICA", "7",
                "SPRINGBAR_REPLICA: must be two hexadecimal digits in lower case, such as 07, was \"7\""
            ),
            (
                "SPRINGBAR_REPLICA", "0A",
                "SPRINGBAR_REPLICA: must be two hexadecimal digits in lower case, such as 07, was \"0A\""
            ),
            ("SPRINGBAR_SESSION_TTL", "9", "SPRINGBAR_SESSION_TTL: must be a whole number from 10 to 86400, was \"9\""),
        ]
    )
    func faults(variable: String, text: String, message: String) {
        #expect(throws: ConfigurationFaults(faults: [message])) { try read([variable: text]) }
    }

    @Test(
        "A list that is set and has no part is a fault",
        arguments: [Setting.apiTokens, .trustedProxies, .corsOrigins, .imageHosts],
        [",", " ", " , ,, ", "\t"]
    )
    func emptyLists(setting: Setting, text: String) {
        let faults = #expect(throws: ConfigurationFaults.self) { try read([setting.variable: text]) }?.faults ?? []
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("\(setting.variable): must have at least one part, which must be ") == true)
    }

    @Test("An empty part of a list is skipped")
    func emptyParts() throws {
        let token = "a-token-of-the-tests"
        #expect(try read(["SPRINGBAR_API_TOKENS": ", \(token) ,"]).apiTokens.map(\.text) == [token])
    }

    @Test(
        "Every secret and every setting of a restriction that is set to blanks is a fault",
        arguments: [
            Setting.accessKey, .apiTokens, .trustedProxies, .corsOrigins, .imageHosts, .clientRate, .publicURL,
            .unsplashURL, .replica, .host, .maxConnectionsPerClient, .maxStreamsPerClient, .maxSessionsPerClient,
        ]
    )
    func blankSettings(setting: Setting) {
        #expect(throws: ConfigurationFaults.self) { try read([setting.variable: " "]) }
    }

    @Test(
        "Numbers have the grammar of JSON",
        arguments: [
            ("SPRINGBAR_PORT", "+19146"), ("SPRINGBAR_PORT", "1e3"), ("SPRINGBAR_PORT", "0x50"),
            ("SPRINGBAR_PORT", " 80"),
            ("SPRINGBAR_MAX_CONNECTIONS", "+60"), ("SPRINGBAR_CLIENT_RATE", "0x1p3"), ("SPRINGBAR_CLIENT_RATE", "+1"),
            ("SPRINGBAR_CLIENT_RATE", "inf"), ("SPRINGBAR_CLIENT_RATE", ".5"), ("SPRINGBAR_CLIENT_RATE", "1e999"),
            ("SPRINGBAR_UNSPLASH_API_URL", "http://a:+80"), ("SPRINGBAR_UNSPLASH_IMAGE_HOSTS", "a:+80"),
        ]
    )
    func numbers(variable: String, text: String) {
        let faults = #expect(throws: ConfigurationFaults.self) { try read([variable: text]) }?.faults
        #expect(faults?.count == 1)
    }

    @Test(
        "The default share of the connections of one client is at most half of them",
        arguments: [("60", 30), ("4096", 1024), ("2047", 1023), ("1000000", 1024), ("1", 1), ("3", 1)]
    )
    func connectionShare(connections: String, share: Int) throws {
        let environment = ["SPRINGBAR_MAX_CONNECTIONS": connections]
        #expect(try read(environment).maxConnectionsPerClient == share)
        let report = ConfigurationReport(SettingSource(environment: environment)).description.split(separator: "\n")
        let line = report.first { $0.hasPrefix("SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT") }
        #expect(line?.hasSuffix(" \(share)  [default]") == true)
        #expect(try read(environment, flags: [.maxConnectionsPerClient: "2000"]).maxConnectionsPerClient == 2000)
    }

    @Test("A fault of a flag names the flag")
    func flagFault() {
        let faults = ["--max-body-bytes: must be a whole number from 1024 to 67108864, was \"1\""]
        #expect(throws: ConfigurationFaults(faults: faults)) { try read(flags: [.maxBodyBytes: "1"]) }
    }

    @Test("All faults are reported together")
    func allAtOnce() {
        let environment = ["SPRINGBAR_PORT": "x", "SPRINGBAR_SESSION_TTL": "x", "SPRINGBAR_LOG_FORMAT": "x"]
        let faults = #expect(throws: ConfigurationFaults.self) { try read(environment) }
        #expect(faults?.faults.count == 3)
        #expect(faults?.description.split(separator: "\n").count == 4)
    }

    @Test("No fault, report or description contains a secret")
    func secrets() throws {
        let environment = ["UNSPLASH_ACCESS_KEY": "hush hush", "SPRINGBAR_API_TOKENS": "hush,hushhushhushhushhush"]
        let faults = #expect(throws: ConfigurationFaults.self) { try read(environment) }
        #expect(faults?.faults.count == 2)
        #expect("\(String(describing: faults))".contains("hush") == false)
        let report = ConfigurationReport(SettingSource(environment: environment)).description
        #expect(report.contains("hush") == false)
        #expect(report.contains("(set, not shown)"))
        let configuration = try read([
            "UNSPLASH_ACCESS_KEY": "hushhush", "SPRINGBAR_REDIS_URL": "redis://u:hush@host",
        ])
        #expect(configuration.redisURL?.text == "redis://u:hush@host")
        #expect(Setting.redisURL.flag == nil)
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(dumped.contains("hush") == false)
        #expect(configuration.accessKey?.text == "hushhush")
    }

    @Test("The report has the value and the origin of every setting")
    func report() {
        let source = SettingSource(flags: [.port: "1"], environment: ["SPRINGBAR_HOST": "::"])
        let lines = ConfigurationReport(source).description.split(separator: "\n")
        #expect(lines.count == Setting.allCases.count)
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_PORT") && $0.hasSuffix("1  [flag]") })
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_HOST") && $0.hasSuffix("::  [environment]") })
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_SESSION_TTL") && $0.hasSuffix("900  [default]") })
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_CLIENT_RATE") && $0.hasSuffix("(not set)") })
    }

    @Test("A misspelt variable is reported, but Kubernetes's own are not")
    func unknownVariables() {
        let names = ["SPRINGBAR_PROT", "SPRINGBAR_SERVICE_HOST", "SPRINGBAR_PORT_8080_TCP", "PATH", "SPRINGBAR_PORT"]
        let source = SettingSource(environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "1") }))
        #expect(source.unknownVariables == ["SPRINGBAR_PROT"])
    }

    @Test("A setting that has no effect without another one is reported")
    func withoutEffect() {
        func reported(_ environment: [String: String]) -> [String] {
            SettingSource(flags: [.redisPrefix: "a"], environment: environment).withoutEffect
                .map { "\($0.name) needs \($0.needs)" }
        }
        let api = ["SPRINGBAR_UNSPLASH_API_URL": "http://127.0.0.1:8081"]
        #expect(
            reported(api) == [
                "SPRINGBAR_UNSPLASH_API_URL needs UNSPLASH_ACCESS_KEY", "--redis-prefix needs SPRINGBAR_REDIS_URL",
            ]
        )
        let needed = ["UNSPLASH_ACCESS_KEY": "any", "SPRINGBAR_REDIS_URL": "redis://127.0.0.1"]
        #expect(reported(api.merging(needed) { $1 }) == [])
    }

    @Test("Flags are named after the variables, and secrets have no flag")
    func flagNames() {
        #expect(Setting.maxBodyBytes.flag == "max-body-bytes")
        #expect(Setting.unsplashURL.flag == "unsplash-api-url")
        #expect(Setting.accessKey.flag == nil)
        #expect(Setting.apiTokens.flag == nil)
    }
}
