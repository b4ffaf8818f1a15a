import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import Primitives
import ServiceHarness
import SharedState
import SpringbarService
import Testing

@testable import BarFeature
@testable import Photos

@Suite("The operations")
struct OperationsTests {
    private let service: Service

    init() throws {
        service = try Service()
    }

    @Test("The process reports that it is alive, also while it drains")
    func health() throws {
        #expect(service.get("/healthz").text == "ok\n")
        service.readiness.beginDraining()
        #expect(service.get("/healthz").status == .ok)
    }

    @Test("The process reports that it is ready until it drains")
    func readiness() throws {
        #expect(service.get("/readyz").status == .ok)
        service.readiness.beginDraining()
        let answer = service.get("/readyz")
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.json["type"] as? String == "/problems/draining")
    }

    @Test("The process stays ready while the shared store is unavailable, and reports this state")
    func storeAway() throws {
        let since = Instant.now - .seconds(12)
        let away = try Service(status: { SharedStatus(isAvailable: false, since: since) })
        let answer = away.get("/readyz")
        #expect(answer.status == .ok)
        #expect(answer.text.hasPrefix("ready; Redis has been unavailable for 1"))
        #expect(answer.text.hasSuffix(" s, requests about bars may get 503\n"))
        let up = try Service(status: { SharedStatus(isAvailable: true, since: since) })
        #expect(up.get("/readyz").text == "ready\n")
        let starting = try Service(status: { SharedStatus(isAvailable: false, hasConnected: false, since: since) })
        #expect(starting.get("/readyz").status == .serviceUnavailable)
        away.readiness.beginDraining()
        #expect(away.get("/readyz").status == .serviceUnavailable)
    }

    private static func status(_ store: SharedStatus? = nil) -> [UInt8] {
        ServiceStatus.json(
            uptime: .seconds(61.5),
            isDraining: false,
            bars: BarStatistics(sessions: 3, maxSessions: 100, bytes: 0, maxBytes: 0),
            store: store,
            storeSince: WallTime(milliseconds: 0),
            photos: PhotoService.Status(
                library: .sandbox,
                upstream: "ok",
                budget: (50, 49, .seconds(10)),
                imageCache: (1, 2, 3, 4, 5),
                imageLoads: (6, 7),
                knownPhotos: 0,
                flights: 0
            )
        )
    }

    @Test("The status of a shared store has its state and its latency")
    func storeStatus() {
        var connection = SharedStatus(isAvailable: false, since: .now)
        connection.latency = .microseconds(250)
        connection.pending = 7
        let status = Self.status(connection)
        let since = "1970-01-01T00:00:00Z"
        let expected = #""store":{"kind":"redis","state":"away","since":"\#(since)","latencyMs":0.25,"pending":7}"#
        #expect(String(decoding: status, as: UTF8.self).contains(expected))
    }

    @Test("Metrics are counted by route template, method and status, and not by path")
    func metrics() throws {
        _ = service.get("/problems/not-found")
        _ = service.get("/problems/nothing")
        _ = service.get("/nowhere/\(UUID())")
        let answer = service.get("/metrics")
        #expect(answer.fields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        let lines = answer.text.split(separator: "\n")
        #expect(lines.contains(#"http_requests_total{route="/problems/{code}",method="GET",status="200"} 1"#))
        #expect(lines.contains(#"http_requests_total{route="/problems/{code}",method="GET",status="404"} 1"#))
        #expect(lines.contains(#"http_requests_total{route="none",method="GET",status="404"} 1"#))
        #expect(lines.contains(#"http_request_duration_seconds_count{route="/problems/{code}",method="GET"} 2"#))
        #expect(!lines.contains { $0.hasPrefix("http_request_duration") && $0.contains(#"route="none""#) })
        #expect(lines.contains("http_requests_in_flight 1"), "this very request is under way")
    }

    @Test("The status has the members of the contract, in their order")
    func status() throws {
        let expected =
            #"{"version":"\#(Version.text)","uptimeSeconds":61,"draining":false,"#
            + #""bars":{"sessions":3,"maxSessions":100},"#
            + #""store":{"kind":"memory","state":"up","since":"1970-01-01T00:00:00Z","latencyMs":null,"pending":0},"#
            + #""photos":{"library":"sandbox","upstream":"ok","#
            + #""budget":{"limit":50,"remaining":49,"resetsInSeconds":10},"#
            + #""imageCache":{"entries":1,"bytes":2,"maxBytes":3,"hits":4,"misses":5},"#
            + #""imageLoads":{"running":6,"cancelled":7}}}"#
        #expect(String(decoding: Self.status(), as: UTF8.self) == expected)
        let served = service.get("/v1/status")
        #expect(served.string("/photos/library") == "sandbox" && served.bool("/draining") == false)
        service.readiness.beginDraining()
        #expect(service.get("/v1/status").bool("/draining") == true)
    }

    @Test("The index has every type of problem once, with the path of its explanation")
    func problemIndex() throws {
        let answer = service.get("/problems")
        #expect(answer.status == .ok)
        let listed = try #require(answer.json["problems"] as? [[String: Any]])
        #expect(listed.compactMap { $0["code"] as? String } == Problem.Kind.service.map(\.code))
        for problem in listed {
            let page = service.get(try #require(problem["type"] as? String)).json
            for name in ["code", "title"] { #expect(problem[name] as? String == page[name] as? String) }
            #expect(problem["status"] as? Int == page["status"] as? Int)
            #expect((problem["title"] as? String)?.hasSuffix(".") == true)
            #expect(try #require(page["explanation"] as? String).count > 40)
        }
        let tag = try #require(answer.fields[.eTag])
        #expect(service.get("/problems", [.ifNoneMatch: tag]).status == .notModified)
    }

    @Test("Responses about the current state are not cached")
    func notStored() throws {
        for path in ["/healthz", "/readyz", "/metrics", "/v1/status"] {
            #expect(service.get(path).fields[.cacheControl] == "no-store")
        }
    }
}
