import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import TestSupport
import Testing

@Suite("Bars in memory")
struct MemoryBarStoreTests {
    /// Posts 500 events, nearly as many as a log has.
    private func fill(_ api: Service, _ path: String) {
        _ = api.post(path + "/events", Bodies.batch((0..<500).map { Bodies.offset(Double($0 % 300)) }))
    }

    private func kept(_ api: Service, _ path: String) -> Int {
        api.get(path + "/events?limit=512").count("/events") ?? -1
    }

    @Test("without memory a write drops the log of its own bar, and no other log")
    func ownLog() throws {
        let probe = try Service()
        fill(probe, try probe.bar())
        let full = probe.statistics.bytes

        let api = try Service(maxBytes: 3 * full + full / 2)
        let paths = try (0..<6).map { _ in try api.bar() }
        for path in paths {
            fill(api, path)
            #expect(api.statistics.bytes <= 3 * full + full / 2)
        }
        for path in paths.prefix(3) { #expect(kept(api, path) == 500) }
        for path in paths.suffix(3) { #expect(kept(api, path) == 0) }
        for path in paths { #expect(api.get(path).number("/revision") == 500) }
        // Dropped events are reported as gone, and new ones are logged again.
        #expect(api.post(paths[5] + "/events", Bodies.offset(1, sequence: 500)).status == 410)
        #expect(api.get(paths[5] + "/states?at=500").status == 410)
        #expect(api.post(paths[5] + "/events", Bodies.offset(7, sequence: 501)).status == 200)
        #expect(api.post(paths[5] + "/events", Bodies.offset(7, sequence: 501)).bool("/replayed") == true)
        #expect(api.get(paths[5] + "/states?at=501").status == 200)
        for path in paths { _ = api.delete(path) }
        #expect(api.statistics.bytes == 0)
    }

    @Test("a client's share includes its logs: beyond it, its own writes go on without them")
    func shareOfLogs() throws {
        // A share is an eighth of the bytes.
        let api = try Service(maxSessions: 1000, maxBytes: 8 * 20_000, maxSessionsPerClient: 50)
        func bar(of peer: String) throws -> String {
            try #require(api.post("/v1/bars", Bodies.create(), peer: peer).fields[.location])
        }
        let greedy = try (0..<20).map { _ in try bar(of: "192.0.2.1") }
        for path in greedy { fill(api, path) }
        #expect(api.statistics.bytes <= 20_000)
        #expect(greedy.map { kept(api, $0) }.count { $0 == 0 } > 10)
        for path in greedy { #expect(api.post(path + "/events", Bodies.offset(1)).status == 200) }
        // Another client is not concerned.
        let other = try bar(of: "2001:db8::1")
        fill(api, other)
        #expect(kept(api, other) == 500)
        for path in greedy + [other] { #expect(api.delete(path).status == 204) }
        #expect(api.statistics.bytes == 0)
    }

    @Test("bars are never dropped: a request that exceeds the limit is refused")
    func recordsStay() throws {
        let probe = try Service()
        _ = try probe.bar()
        let one = probe.statistics.bytes
        let api = try Service(maxBytes: one * 5)
        let paths = try (0..<5).map { _ in try api.bar() }
        #expect(api.post("/v1/bars", Bodies.create()).code == "session-limit")
        let tracks = (0..<100).map { "\"t\($0)\":{\"keyframes\":[{\"progress\":1,\"value\":0}]}" }.joined(
            separator: ","
        )
        #expect(api.put(paths[0] + "/tracks", "{\(tracks)}", [.ifMatch: "*"]).code == "session-limit")
        #expect(api.get(paths[0]).fields[.eTag] == "\"0\"")
        #expect(api.post(paths[0] + "/events", Bodies.offset(1)).status == 200)
        #expect(kept(api, paths[0]) == 0)
    }

    /// An operation that waits before it decides.
    private struct WaitingOperation: BarOperation {
        let base: any BarOperation
        let wait: @Sendable () -> Void

        var id: BarID { base.id }
        var memory: RequestMemory { base.memory }

        func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
            wait()
            return try base.decide(&record, log, now: now)
        }
    }

    @Test("an operation is decided while the other writes of its bar wait")
    func turns() throws {
        let api = try Service()
        let path = try api.bar()
        let operation = WaitingOperation(base: try api.submit((1...500).map(Double.init), to: path)) {
            Thread.detachNewThread { _ = api.post(path + "/events", Bodies.offset(9)) }
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(try api.perform(operation).waited.fields[.eTag] == "\"500\"")
        #expect(eventually { api.get(path).number("/revision") == 501 })
    }

    @Test("a bar with too many concurrent writes is 503")
    func contendedProblem() {
        let problem = Problem(BarSessionError.contended)
        #expect(problem.code == "bar-contended")
        #expect(problem.status.code == 503)
        #expect(problem.fields[.retryAfter] == "1")
    }
}
