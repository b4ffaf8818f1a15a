import HTTPExchange
import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

/// Two replicas of the service on two engines.
private struct ShardedReplicas {
    let engines: [FakeEngine]
    let clock = TestClock()
    let a: BarAPI
    let b: BarAPI

    init() throws {
        let clock = clock
        let engines = (0..<2).map { _ in FakeEngine { clock.now } }
        self.engines = engines
        func replica(_ seed: UInt64) throws -> BarAPI {
            try BarAPI(seed: seed, engine: ShardedEngine(engines) { $0.server(of: $1) }, clock: clock)
        }
        (a, b) = try BarStoreKind.$current.withValue(.shared) { (try replica(1), try replica(2)) }
    }

    /// The number of the engine that has a bar.
    func server(_ path: String) -> Int? {
        engines.firstIndex { $0.keys.contains(SharedKey(String(path.suffix(32)))) }
    }
}

@Suite("Bars on several servers")
struct ShardedBarTests {
    @Test("each bar is on one server, with its log, and all replicas find it")
    func spread() throws {
        let replicas = try ShardedReplicas()
        let paths = try (0..<20).map { _ in try replicas.a.bar() }
        for path in paths {
            #expect(replicas.b.post(path + "/events", Bodies.offset(1, sequence: 1)).status == 200)
            #expect(replicas.a.post(path + "/events", Bodies.offset(2, sequence: 2)).status == 200)
            #expect(replicas.b.get(path + "/events").count("/events") == 2)
        }
        let counts = replicas.engines.map { $0.keys.count }
        #expect(counts.reduce(0, +) == 20)
        #expect(!counts.contains(0))
        #expect(replicas.a.sessionCount == 20)
        for path in paths { #expect(replicas.b.delete(path).status == 204) }
        #expect(replicas.a.sessionCount == 0)
    }

    @Test("while a server is away, the bars of the other can be used", arguments: [0, 1])
    func away(server: Int) throws {
        let replicas = try ShardedReplicas()
        let paths = try (0..<20).map { _ in try replicas.a.bar() }
        replicas.engines[server].onCall { _ in .fails(.unavailable) }
        for path in paths {
            let answer = replicas.b.post(path + "/events", Bodies.offset(1))
            if replicas.server(path) == server {
                #expect(answer.code == "store-unavailable")
                #expect(replicas.a.get(path).code == "store-unavailable")
            } else {
                #expect(answer.status == 200)
                #expect(replicas.a.get(path).number("/revision") == 1)
            }
        }
        // A creation without a key that is sent again gets another id.
        let answers = (0..<20).map { _ in replicas.a.post("/v1/bars", Bodies.create()) }
        #expect(answers.contains { $0.status == 201 })
        #expect(answers.contains { $0.code == "store-unavailable" })
        replicas.a.expire()
        replicas.engines[server].onCall { _ in .works }
        for path in paths { #expect(replicas.a.post(path + "/events", Bodies.offset(2)).status == 200) }
    }

    @Test("streams get the writes of other replicas from every server")
    func streams() throws {
        let replicas = try ShardedReplicas()
        for _ in 0..<10 {
            let path = try replicas.a.bar()
            let answer = replicas.a.get(path + "/stream")
            guard case .stream(let stream) = answer.response.content else {
                Issue.record("there is no stream")
                continue
            }
            _ = replicas.b.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4000, alignment: 1)
            defer { buffer.deallocate() }
            var text = ""
            while case .copied(let count) = stream.read(into: buffer, wake: {}) {
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            #expect(text.contains("id: 2"))
            stream.close()
        }
        #expect(replicas.engines.allSatisfy { $0.watchCount == 0 })
    }

    /// The faults of one server during a creation: none of its replies, or only the first one is lost.
    private static let fates: [(fate: FakeEngine.Fate, isOnce: Bool)] = [
        (.losesReply, true), (.losesReply, false), (.fails(.unavailable), false), (.fails(.unknownOutcome), true),
        (.fails(.unknownOutcome), false),
    ]

    @Test("a creation with a key makes one bar, wherever the key and the bar are", arguments: fates.indices, [0, 1])
    func creation(index: Int, server: Int) throws {
        let (fate, isOnce) = Self.fates[index]
        let replicas = try ShardedReplicas()
        var places: Set<[Int]> = []
        for number in 0..<48 {
            let key = [(FieldName.idempotencyKey, "key \(number)")]
            let isUsed = Shared(false)
            replicas.engines[server].onCall { call in
                guard call.isWrite, !(isOnce && isUsed.current) else { return .works }
                isUsed.change { $0 = true }
                return fate
            }
            let first = replicas.a.post("/v1/bars", Bodies.create(), key)
            if isOnce { #expect(first.status == 201) }
            replicas.engines[server].onCall { _ in .works }
            let retry = replicas.b.post("/v1/bars", Bodies.create(), key)
            let path = try #require(retry.fields[.location])
            if first.status == 201 { #expect(first.text == retry.text) }
            #expect(replicas.a.post("/v1/bars", Bodies.create(), key).text == retry.text)
            #expect(replicas.a.post("/v1/bars", Bodies.create(y: 3), key).code == "idempotency-key-reused")
            #expect(replicas.a.sessionCount == number + 1)
            let keyServer = replicas.engines.firstIndex { engine in
                engine.keys.contains { $0.text.hasSuffix(":key \(number)") }
            }
            places.insert([try #require(keyServer), try #require(replicas.server(path))])
        }
        #expect(places.count == 4, "\(places)")
    }
}
