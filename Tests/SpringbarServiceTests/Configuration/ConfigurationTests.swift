import HTTPExchange
import Logging
import Photos
import SpringbarService
import TestSupport
import Testing

@Suite("Configuration")
struct ConfigurationTests {
    private func read(
        _ environment: [String: String] = [:],
        flags: [String: String] = [:]
    ) throws(ConfigurationFaults) -> Configuration {
        try Configuration(flags: flags, environment: environment)
    }

    @Test("The calls per hour are the upstream's 50 with a key, and the production tier's with the sandbox library")
    func callsPerHour() throws {
        #expect(try read(["UNSPLASH_ACCESS_KEY": "key"]).photos.rateLimitPerHour == 50)
        #expect(try read(["SPRINGBAR_RATE_LIMIT_PER_HOUR": "50"]).photos.rateLimitPerHour == 50)
        let line = try read().report.split(separator: "\n").first { $0.hasPrefix("SPRINGBAR_RATE_LIMIT_PER_HOUR") }
        #expect(line?.hasSuffix("5000  [default]") == true)
    }

    @Test("A flag overrides the environment, which overrides the default")
    func precedence() throws {
        let environment = ["SPRINGBAR_PORT": "9000", "SPRINGBAR_HOST": "::1"]
        let configuration = try read(environment, flags: ["SPRINGBAR_PORT": "9100"])
        #expect(configuration.server.port == 9100)
        #expect(configuration.server.host == "::1")
    }

    @Test("An empty variable counts as not set")
    func emptyVariable() throws {
        #expect(try read(["UNSPLASH_ACCESS_KEY": "", "SPRINGBAR_PORT": ""]).photos.accessKey == nil)
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
                "SPRINGBAR_UNSPLASH_API_URL", "https://user:s@cret@x",
                "SPRINGBAR_UNSPLASH_API_URL: must be an http:// or https:// URL without query or user,"
                    + " was \"https://…@x\""
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
        arguments: [
            "SPRINGBAR_API_TOKENS", "SPRINGBAR_TRUSTED_PROXIES", "SPRINGBAR_CORS_ORIGINS",
            "SPRINGBAR_UNSPLASH_IMAGE_HOSTS",
        ],
        [",", " ", " , ,, ", "\t"]
    )
    func emptyLists(variable: String, text: String) {
        let faults = #expect(throws: ConfigurationFaults.self) { try read([variable: text]) }?.faults ?? []
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix("\(variable): must have at least one part, which must be ") == true)
    }

    @Test("An empty part of a list is skipped")
    func emptyParts() throws {
        let token = "a-token-of-the-tests"
        #expect(try read(["SPRINGBAR_API_TOKENS": ", \(token) ,"]).access.tokens.map(\.text) == [token])
    }

    @Test(
        "Every setting that is set to blanks is a fault, except those that the client of Redis checks",
        arguments: Configuration.declared.map(\.variable).filter {
            ![Configuration.Redis.urlVariable, Configuration.Redis.authoritiesVariable].contains($0)
        }
    )
    func blankSettings(variable: String) {
        #expect(throws: ConfigurationFaults.self) { try read([variable: " "]) }
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
        #expect(try read(environment).server.maxConnectionsPerClient == share)
        let report = try read(environment).report.split(separator: "\n")
        let line = report.first { $0.hasPrefix("SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT") }
        #expect(line?.hasSuffix(" \(share)  [default]") == true)
        let flags = ["SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "2000"]
        #expect(try read(environment, flags: flags).server.maxConnectionsPerClient == 2000)
    }

    @Test("A fault of a flag names the flag")
    func flagFault() {
        let faults = ["--max-body-bytes: must be a whole number from 1024 to 67108864, was \"1\""]
        #expect(throws: ConfigurationFaults(faults: faults)) { try read(flags: ["SPRINGBAR_MAX_BODY_BYTES": "1"]) }
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
        let configuration = try read([
            "UNSPLASH_ACCESS_KEY": "hushhush", "SPRINGBAR_REDIS_URL": "redis://u:hush@host",
        ])
        #expect(configuration.report.contains("hush") == false)
        #expect(configuration.report.contains("(set, not shown)"))
        #expect(configuration.redis.url?.text == "redis://u:hush@host")
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(dumped.contains("hush") == false)
        #expect(configuration.photos.accessKey?.text == "hushhush")
    }

    @Test("The report has the value and the origin of every setting")
    func report() throws {
        let configuration = try read(["SPRINGBAR_HOST": "::"], flags: ["SPRINGBAR_PORT": "1"])
        let lines = configuration.report.split(separator: "\n")
        #expect(lines.count == Configuration.declared.count)
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_PORT") && $0.hasSuffix("1  [flag]") })
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_HOST") && $0.hasSuffix("::  [environment]") })
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_SESSION_TTL") && $0.hasSuffix("900  [default]") })
        #expect(lines.contains { $0.hasPrefix("SPRINGBAR_CLIENT_RATE") && $0.hasSuffix("(not set)") })
    }

    @Test("A misspelt variable is reported, but Kubernetes's own are not")
    func unknownVariables() throws {
        let names = ["SPRINGBAR_PROT", "SPRINGBAR_SERVICE_HOST", "SPRINGBAR_PORT_8080_TCP", "PATH", "SPRINGBAR_PORT"]
        let configuration = try read(Dictionary(uniqueKeysWithValues: names.map { ($0, "1") }))
        #expect(configuration.unknownVariables == ["SPRINGBAR_PROT"])
    }

    @Test("A setting that has no effect with another one is reported")
    func excluded() throws {
        let redis = ["SPRINGBAR_REDIS_URL": "redis://127.0.0.1"]
        let limit = ["SPRINGBAR_MAX_SESSIONS": "5"]
        let reported = try read(limit.merging(redis) { $1 }).withoutEffect
        #expect(reported.map(\.name) == ["SPRINGBAR_MAX_SESSIONS"])
        #expect(reported.map(\.excludedBy) == ["SPRINGBAR_REDIS_URL"])
        for alone in [redis, limit] { #expect(try read(alone).withoutEffect.isEmpty) }
    }

    @Test("A setting that has no effect without another one is reported")
    func withoutEffect() throws {
        func reported(_ environment: [String: String]) throws -> [String] {
            try read(environment, flags: ["SPRINGBAR_REDIS_PREFIX": "a"]).withoutEffect
                .map { "\($0.name) needs \($0.needs ?? "")" }
        }
        let api = ["SPRINGBAR_UNSPLASH_API_URL": "http://127.0.0.1:8081"]
        #expect(
            try reported(api) == [
                "--redis-prefix needs SPRINGBAR_REDIS_URL", "SPRINGBAR_UNSPLASH_API_URL needs UNSPLASH_ACCESS_KEY",
            ]
        )
        let needed = ["UNSPLASH_ACCESS_KEY": "any", "SPRINGBAR_REDIS_URL": "redis://127.0.0.1"]
        #expect(try reported(api.merging(needed) { $1 }) == [])
    }

    @Test("Flags are named after the variables, and secrets have no flag")
    func flagNames() {
        let flags = Configuration.declared.compactMap(\.flag)
        #expect(flags.contains("--max-body-bytes"))
        #expect(flags.contains("--unsplash-api-url"))
        #expect(Set(flags).count == flags.count)
        let secrets = Configuration.declared.filter { $0.flag == nil }.map(\.variable)
        #expect(secrets == ["SPRINGBAR_REDIS_URL", "UNSPLASH_ACCESS_KEY", "SPRINGBAR_API_TOKENS"])
    }

    @Test("The public host is allowed as requests name it")
    func publicHost() throws {
        let environment = ["SPRINGBAR_HOST": "127.0.0.1", "SPRINGBAR_PUBLIC_URL": "http://Example.com.:8080"]
        #expect(try Configuration(environment: environment).allowedHosts == ["example.com"])
    }

    @Test(
        "The list of hosts holds at every address and behind every proxy; without it only a loopback address has one",
        arguments: [
            ([:], []), (["SPRINGBAR_HOST": "0.0.0.0"], nil), (["SPRINGBAR_TRUSTED_PROXIES": "127.0.0.1"], nil),
            (["SPRINGBAR_HOST": "0.0.0.0", "SPRINGBAR_ALLOWED_HOSTS": "localhost"], ["localhost"]),
            (["SPRINGBAR_TRUSTED_PROXIES": "127.0.0.1", "SPRINGBAR_ALLOWED_HOSTS": "a.example"], ["a.example"]),
            (["SPRINGBAR_ALLOWED_HOSTS": "a.example,*"], nil),
        ] as [([String: String], [String]?)]
    )
    func allowedHosts(environment: [String: String], hosts: [String]?) throws {
        #expect(try Configuration(environment: environment).allowedHosts == hosts)
    }

    @Test("The table of docs/operating.md has the variable, the default and the summary of every setting")
    func table() throws {
        let page = try Checkout.text("docs/operating.md")
        let rows = Configuration.declared.map { setting in
            "| `\(setting.variable)` |\(setting.defaultText.map { " `\($0)`" } ?? "") | \(setting.summary) |"
        }
        let head = "| variable | default | meaning |\n|---|---|---|\n"
        #expect(page.contains(head + rows.joined(separator: "\n") + "\n\n"), "\(rows.joined(separator: "\n"))")
    }
}
