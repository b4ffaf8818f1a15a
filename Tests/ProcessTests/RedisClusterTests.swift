import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite(
        "Two replicas on a Redis Cluster",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
    )
    struct RedisClusterTests {
        @Test("Bars of two shards go on while the third is away; all are complete when it is back")
        func oneAway() throws {
            let cluster = try RedisClusterProcesses(["--appendonly", "yes", "--appendfsync", "always"])
            // Two of the three addresses are enough.
            let environment = ["SPRINGBAR_REDIS_URL": "\(cluster.url(2)),\(cluster.url(0))"]
            let replicas = try (0..<2).map { _ in try ServiceProcess(environment: environment) }
            let bars = try (0..<24).map { try RawConnection(port: replicas[$0 % 2].port).createBar() }
            let streams = try bars.map { bar in
                let stream = try RawConnection(port: replicas[0].port)
                try stream.watch(bar)
                #expect(try stream.readEvent().contains("id: 0"))
                return stream
            }
            for bar in bars { #expect(try post(bar, 1, replicas[1]) == 200) }
            #expect(try get("/readyz", replicas[0]).text == "ready\n")

            cluster.servers[1].kill()
            #expect(try eventually { try replicas.allSatisfy { try get("/readyz", $0).text != "ready\n" } })
            #expect(try get("/readyz", replicas[0]).status == 200)
            #expect(try get("/v1/status", replicas[0]).text.contains(#""store":{"kind":"redis","state":"away","#))
            #expect(try ProcessFigures(replicas[0]).metric("springbar_store_up") == 0)
            let statuses = try bars.map { try get($0, replicas[0]).status }
            // Each shard has bars: the chance that all are on two is 1 in 5,600.
            #expect(Set(statuses) == [200, 503])
            for (bar, status) in zip(bars, statuses) { #expect(try post(bar, 2, replicas[1]) == status) }

            try cluster.servers[1].restart()
            let isBack = try eventually(within: .seconds(30)) {
                try replicas.allSatisfy { try get("/readyz", $0).text == "ready\n" }
            }
            #expect(isBack)
            for (bar, status) in zip(bars, statuses) where status == 503 {
                #expect(try eventually { try post(bar, 2, replicas[1]) == 200 })
            }
            for (index, bar) in bars.enumerated() {
                #expect(try get(bar, replicas[0])["ETag"] == "\"2\"")
                var last = ""
                while !last.contains("id: 2") { last = try streams[index].readEvent() }
            }
        }

        @Test("A replica starts by any server of the cluster that is there")
        func start() throws {
            let cluster = try RedisClusterProcesses()
            cluster.servers[0].kill()
            let service = try ServiceProcess(environment: [
                "SPRINGBAR_REDIS_URL": "\(cluster.url(0)),\(cluster.url(1))",
                // The share of the client is on one server, without which it creates no bar.
                "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0",
            ])
            #expect(try get("/readyz", service).text.hasPrefix("ready; Redis has been unavailable for "))
            let statuses = try (0..<24).map { _ -> Int in
                let connection = try RawConnection(port: service.port)
                return try connection.post("/v1/bars", RedisClusterTests.creation).status
            }
            #expect(Set(statuses) == [201, 503])
        }

        @Test("Servers that are no cluster end the start with status 78")
        func noCluster() throws {
            let ports = (0..<2).map { _ in RedisServerProcess.freePort() }
            let servers = try ports.map { try RedisServerProcess(["--bind", "127.0.0.1", "--port", "\($0)"]) }
            defer { withExtendedLifetime(servers) {} }
            let (status, output) = try ServiceProcess.run(
                ["serve", "--port", "0"],
                environment: ["SPRINGBAR_REDIS_URL": ports.map { "redis://127.0.0.1:\($0)" }.joined(separator: ",")]
            )
            #expect(status == 78, "\(output)")
            #expect(
                output.contains("SPRINGBAR_REDIS_URL has several addresses, so each must be that of a server of one")
            )
        }

        private static let creation = """
            {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
            "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
            "frame":{"x":0,"y":0,"width":375,"height":667}}}
            """
    }
}
