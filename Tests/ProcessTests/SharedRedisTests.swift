import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite(
        "Two replicas on one Redis",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
    )
    struct SharedRedisTests {
        /// A Redis that keeps its data over a restart, and two replicas.
        private struct Replicas {
            let redis: RedisServerProcess
            let a: ServiceProcess
            let b: ServiceProcess

            init() throws {
                let redis = try RedisServerProcess(["--appendonly", "yes", "--appendfsync", "always"])
                self.redis = redis
                func replica() throws -> ServiceProcess {
                    try ServiceProcess(environment: [
                        "SPRINGBAR_REDIS_URL": redis.url, "SPRINGBAR_LOG_LEVEL": "notice",
                    ])
                }
                (a, b) = (try replica(), try replica())
            }
        }

        @Test("Bars, streams and deletions are shared")
        func shared() throws {
            let replicas = try Replicas()
            let bar = try RawConnection(port: replicas.a.port).createBar()
            let stream = try RawConnection(port: replicas.a.port)
            try stream.watch(bar)
            #expect(try stream.readEvent().contains("id: 0"))
            for number in 1...40 {
                #expect(try post(bar, number, number.isMultiple(of: 2) ? replicas.a : replicas.b) == 200)
            }
            var last = ""
            while !last.contains("id: 40") { last = try stream.readEvent() }
            #expect(try get(bar, replicas.b)["ETag"] == "\"40\"")
            let delete = "DELETE \(bar) HTTP/1.1\r\nHost: x\r\n\r\n"
            #expect(try RawConnection(port: replicas.b.port).exchange(delete).status == 204)
            #expect(try stream.readEvent().contains(#"{"reason":"deleted"}"#))
            #expect(try get(bar, replicas.a).status == 404)
            let status = try get("/v1/status", replicas.a).text
            #expect(status.contains(#""store":{"kind":"redis","state":"up","#))
            let metrics = try get("/metrics", replicas.a).text.split(separator: "\n")
            for (name, kind) in [
                ("commands_total", "counter"), ("errors_total", "counter"), ("conflicts_total", "counter"),
                ("reconnects_total", "counter"), ("latency_seconds", "histogram"), ("pending", "gauge"),
                ("up", "gauge"),
            ] {
                #expect(metrics.contains("# TYPE springbar_store_\(name) \(kind)"))
                #expect(metrics.contains { $0.hasPrefix("# HELP springbar_store_\(name) ") })
            }
            let figures = ProcessFigures(replicas.a)
            #expect(try figures.metric("springbar_store_up") == 1)
            #expect(try figures.metric("springbar_store_commands_total") > 20)
            #expect(try figures.metric("springbar_store_latency_seconds_count") > 20)
            #expect(try figures.metric(#"springbar_store_latency_seconds_bucket{le="+Inf"}"#) > 20)
        }

        @Test("A replica that is killed loses nothing, and Redis that is killed is 503 until it is back")
        func kills() throws {
            let replicas = try Replicas()
            let bar = try RawConnection(port: replicas.a.port).createBar()
            for number in 1...10 { #expect(try post(bar, number, replicas.a) == 200) }
            let stream = try RawConnection(port: replicas.b.port)
            try stream.watch(bar)
            #expect(try stream.readEvent().contains("id: 10"))
            replicas.a.send(signal: SIGKILL)
            #expect(try post(bar, 11, replicas.b) == 200)
            #expect(try stream.readEvent().contains("id: 11"))

            replicas.redis.kill()
            #expect(try eventually { try get(bar, replicas.b).status == 503 })
            #expect(try get(bar, replicas.b).text.contains("/problems/store-unavailable"))
            let ready = try get("/readyz", replicas.b)
            #expect(ready.status == 200)
            #expect(ready.text.hasPrefix("ready; Redis has been unavailable for "))
            #expect(try get("/v1/springs?response=0.5&dampingRatio=1", replicas.b).status == 200)
            #expect(stream.isSilent(for: .milliseconds(100)))

            try replicas.redis.restart()
            #expect(try eventually { try post(bar, 12, replicas.b) == 200 })
            var last = ""
            while !last.contains("id: 12") { last = try stream.readEvent() }
            #expect(try get("/readyz", replicas.b).text == "ready\n")
            #expect(try get(bar, replicas.b)["ETag"] == "\"12\"")
        }

        @Test("Wrong settings of Redis end the start with status 78")
        func wrongSettings() throws {
            let redis = try RedisServerProcess(["--requirepass", "right"])
            let wrong = redis.url.replacing("unix://", with: "unix://:wrong@")
            let right = redis.url.replacing("unix://", with: "unix://:right@")
            for url in ["http://x", wrong, redis.url, "\(right),\(wrong)?db=1", "\(wrong),\(wrong)"] {
                let (status, output) = try ServiceProcess.run(
                    ["serve", "--port", "0"],
                    environment: ["SPRINGBAR_REDIS_URL": url]
                )
                #expect(status == 78, "\(output)")
                #expect(output.contains("SPRINGBAR_REDIS_URL"))
                #expect(!output.contains("wrong@"))
                #expect(output.contains("address 2 of 2: ") == url.contains(","))
            }
        }

        @Test("A missing permission ends the start with status 78, and all wrong settings are reported at once")
        func permission() throws {
            let redis = try RedisServerProcess(["--user", "less", "on", ">pw", "~*", "&*", "+@all", "-evalsha"])
            let less = redis.url.replacing("unix://", with: "unix://less:pw@")
            var (status, output) = try ServiceProcess.run(
                ["serve", "--port", "0"],
                environment: ["SPRINGBAR_REDIS_URL": less]
            )
            #expect(status == 78, "\(output)")
            #expect(output.contains("SPRINGBAR_REDIS_URL does not have a command, or its user lacks a permission"))
            (status, output) = try ServiceProcess.run(
                ["serve", "--port", "x"],
                environment: [
                    "SPRINGBAR_REDIS_URL": "http://x", "SPRINGBAR_SESSION_TTL": "x", "SPRINGBAR_REDIS_CA": "/none",
                ]
            )
            #expect(status == 78, "\(output)")
            #expect(output.contains("The configuration has 4 faults:"))
        }
    }
}

// Requests of the tests with several replicas, each on a connection of its own.
extension ProcessTests {
    /// Requests a path of a service.
    static func get(_ path: String, _ service: ServiceProcess) throws -> RawResponse {
        try RawConnection(port: service.port).exchange("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
    }

    /// Posts a scroll event with a number to a bar; returns the status.
    static func post(_ bar: String, _ number: Int, _ service: ServiceProcess) throws -> Int {
        let event = #"{"type":"contentOffset","contentOffset":{"x":0,"y":\#(number % 90)},"sequence":\#(number)}"#
        return try RawConnection(port: service.port).post(bar + "/events", event).status
    }
}
