import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import TestSupport
import Testing

@testable import BarFeature

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

    /// An operation that is interrupted at its first `times` attempts.
    private struct InterruptedOperation: BarOperation {
        let base: any BarOperation
        var isShort = false
        let times: Int
        let attempts = Shared(0)
        let interrupt: @Sendable () -> Void

        var id: BarID { base.id }
        var memory: RequestMemory { base.memory }

        func decide(_ record: inout BarRecord, _ log: BarLog?, now: WallTime) throws -> BarDecision {
            let decision = try base.decide(&record, log, now: now)
            attempts.change { $0 += 1 }
            if attempts.current <= times { interrupt() }
            return decision
        }
    }

    @Test("a short operation is decided while the other writes of its bar wait")
    func short() throws {
        let api = try Service()
        let path = try api.bar()
        let operation = InterruptedOperation(base: try api.submit(to: path), isShort: true, times: 1) {
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = api.post(path + "/events", Bodies.offset(9))
                isDone.signal()
            }
            #expect(isDone.wait(timeout: .now() + 0.1) == .timedOut)
        }
        #expect(try api.perform(operation).waited.fields[.eTag] == "\"1\"")
        #expect(eventually { api.get(path).number("/revision") == 2 })
    }

    @Test("a long operation that was overtaken decides again on the new record, and is refused after three attempts")
    func overtaken() throws {
        let api = try Service()
        let path = try api.bar()
        let other = { @Sendable in _ = api.post(path + "/events", Bodies.offset(9)) }
        let late = InterruptedOperation(base: try api.submit(to: path), times: 2, interrupt: other)
        #expect(try api.perform(late).waited.fields[.eTag] == "\"3\"")
        #expect(api.get(path + "/events").count("/events") == 3)
        let hopeless = InterruptedOperation(base: try api.submit(to: path), times: .max, interrupt: other)
        #expect(throws: BarSessionError.contended) { try api.perform(hopeless).waited }
        #expect(hopeless.attempts.current == 3)
        #expect(api.get(path).number("/revision") == 6)
        let ended = InterruptedOperation(base: try api.submit(to: path), times: 1) { _ = api.delete(path) }
        #expect(throws: BarSessionError.notFound) { try api.perform(ended).waited }
        #expect(api.statistics.bytes == 0)
    }

    @Test("a bar that ends and is made again with the same revision during an operation is decided on again")
    func madeAgain() throws {
        let key: Fields = [.idempotencyKey: "k"]
        let api = try Service()
        let path = try #require(api.post("/v1/bars", Bodies.create(), key).fields[.location])
        _ = api.post(path + "/events", Bodies.offset(9))
        let operation = InterruptedOperation(base: try api.submit(to: path), times: 1) {
            _ = api.delete(path)
            _ = api.post("/v1/bars", Bodies.create(), key)
            _ = api.post(path + "/events", Bodies.offset(-70))
        }
        #expect(try api.perform(operation).waited.fields[.eTag] == "\"2-1\"")
        #expect(api.get(path + "/events").number("/events/0/contentOffset/y") == -70)
        #expect(api.get(path).number("/snapshot/previousContentOffset/y") == 1)
    }

    @Test(
        "eight events without results are short",
        arguments: [
            (8, "", true), (9, "", false), (8, "?results=none", true), (1, "?results=all", false),
            (1, "?explain=true", false),
        ]
    )
    func length(events: Int, query: String, isShort: Bool) throws {
        let api = try Service()
        let body = Bodies.batch(Array(repeating: Bodies.offset(1), count: events))
        let operation = SubmitEvents(
            id: try BarID(path: try api.bar()),
            submission: try EventSubmission(json: JSON.parse(Array(body.utf8))),
            detail: try ResultDetail(Target("/" + query)),
            conditions: WriteConditions([:]),
            memory: .unlimited()
        )
        #expect(operation.isShort == isShort)
    }

    @Test("a bar with too many concurrent writes is 503")
    func contendedProblem() {
        let problem = Problem(BarSessionError.contended)
        #expect(problem.code == "bar-contended")
        #expect(problem.status.code == 503)
        #expect(problem.fields[.retryAfter] == "1")
    }
}
