import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite(
        "Two replicas on two Redis servers",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools")
    )
    struct SeveralServersTests {
        @Test("Bars of one server go on while the other is away; all are complete when it is back")
        func oneAway() throws {
            let servers = try (0..<2).map { _ in
                try RedisServerProcess(["--appendonly", "yes", "--appendfsync", "always"])
            }
            defer { withExtendedLifetime(servers) {} }
            let environment = ["SPRINGBAR_REDIS_URL": servers.map(\.url).joined(separator: ",")]
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

            servers[1].kill()
            let isAway = try eventually { try replicas.allSatisfy { try get("/readyz", $0).text != "ready\n" } }
            #expect(isAway)
            #expect(try get("/readyz", replicas[0]).status == 200)
            #expect(try get("/v1/status", replicas[0]).text.contains(#""store":{"kind":"redis","state":"away","#))
            #expect(try ProcessFigures(replicas[0]).metric("springbar_store_up") == 0)
            let statuses = try bars.map { try get($0, replicas[0]).status }
            // Each server has bars: the chance that all are on one is 1 in eight million.
            #expect(Set(statuses) == [200, 503])
            for (bar, status) in zip(bars, statuses) { #expect(try post(bar, 2, replicas[1]) == status) }

            try servers[1].restart()
            #expect(try eventually { try replicas.allSatisfy { try get("/readyz", $0).text == "ready\n" } })
            for (bar, status) in zip(bars, statuses) where status == 503 {
                #expect(try post(bar, 2, replicas[1]) == 200)
            }
            for (index, bar) in bars.enumerated() {
                #expect(try get(bar, replicas[0])["ETag"] == "\"2\"")
                var last = ""
                while !last.contains("id: 2") { last = try streams[index].readEvent() }
            }
        }

        @Test("A replica starts while one of its servers is away, and is not ready while all are")
        func start() throws {
            let here = try RedisServerProcess()
            defer { withExtendedLifetime(here) {} }
            let away = try RedisServerProcess()
            away.kill()
            let service = try ServiceProcess(environment: ["SPRINGBAR_REDIS_URL": "\(away.url),\(here.url)"])
            #expect(try get("/readyz", service).text.hasPrefix("ready; Redis has been unavailable for "))
            let statuses = try (0..<24).map { _ -> Int in
                let connection = try RawConnection(port: service.port)
                return try connection.post("/v1/bars", SeveralServersTests.creation).status
            }
            #expect(Set(statuses) == [201, 503])
        }

        private static let creation = """
            {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
            "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
            "frame":{"x":0,"y":0,"width":375,"height":667}}}
            """
    }
}
