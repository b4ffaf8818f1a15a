import BarFeature
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

@Suite("The bytes of bars")
struct BarAccountingTests {
    private let tracks = LargeBodies.keyframes

    @Test("the bytes of a bar are those of its present state, its log and the start of the log")
    func parts() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create("\"tracks\":\(tracks)"))
        let record = api.statistics.bytes
        // 128 tracks of 64 points, each of two numbers with some bytes.
        #expect(record > 128 * 64 * 2 * 5)
        // The first write adds the start, which has the same tracks as bytes.
        #expect(api.post(path + "/events", Bodies.offset(1)).status == 200)
        #expect(api.statistics.bytes > 3 * record / 2)
        #expect(api.statistics.bytes < 5 * record / 2)
        // A fork has no log.
        let fork = try #require(api.post(path + "/fork", "").fields[.location])
        #expect(api.statistics.bytes > 5 * record / 2)
        #expect(api.delete(path).status == 204)
        #expect(api.statistics.bytes == record)
        #expect(api.delete(fork).status == 204)
        #expect(api.statistics.bytes == 0)
    }

    @Test("random operations release all bytes at the end", arguments: 0..<8 as Range<UInt64>)
    func balance(seed: UInt64) throws {
        let limit = 400_000
        let api = try Service(maxSessions: 60, maxBytes: limit, maxSessionsPerClient: 50, seed: seed)
        var random = SeededGenerator(seed: seed)
        var paths: [String] = []
        for step in 0..<400 {
            let path = paths.randomElement(using: &random) ?? "/v1/bars/x"
            let name = String(repeating: "n", count: Int.random(in: 1...128, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0...1:
                let track = #""\#(name)":{"keyframes":[{"progress":1,"value":\#(step)}]}"#
                let body = Bodies.create(
                    "\"tracks\":{\(track)},\"ttlSeconds\":\(Int.random(in: 10...99, using: &random))"
                )
                let key: Fields = Bool.random(using: &random) ? [.idempotencyKey: name] : [:]
                paths += [api.post("/v1/bars", body, key, peer: "192.0.2.\(step % 2)").fields[.location]].compactMap(
                    \.self
                )
            case 2: paths += [api.post(path + "/fork", "", peer: "192.0.2.9").fields[.location]].compactMap(\.self)
            case 3: _ = api.delete(path, Bool.random(using: &random) ? [:] : [.ifMatch: "\"1\""])
            case 4:
                let track = #"{"\#(name)":{"keyframes":[{"progress":1,"value":\#(step)}]},"gone":null}"#
                _ = api.put(path + "/tracks", track, [.ifMatch: "*"])
            case 5:
                let view = Bodies.scrollable(name, y: Double(step))
                _ = api.post(path + "/events", "{\"type\":\"set\",\"scrollable\":\(view)}")
            case 6:
                let events = (0..<Int.random(in: 1...200, using: &random)).map { Bodies.offset(Double($0)) }
                _ = api.post(path + "/events?results=all", Bodies.batch(events))
            default:
                api.clock.advance(seconds: 1)
                api.sessions.expire()
            }
            #expect(api.statistics.bytes <= limit)
        }
        for path in paths { _ = api.delete(path) }
        #expect(api.statistics.sessions == 0)
        // Keys live longer than their bars.
        api.clock.advance(seconds: 3600)
        api.sessions.expire()
        #expect(api.statistics.bytes == 0)
    }

    @Test("concurrent writers never exceed the limit, and are refused beyond it")
    func pressure() async throws {
        let limit = 1_000_000
        let api = try Service(maxSessions: 100_000, maxBytes: limit)
        let isOver = Shared(false)
        let highest = Shared(0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while !isOver.current {
                    let bytes = api.statistics.bytes
                    highest.change { $0 = max($0, bytes) }
                    await Task.yield()
                }
            }
            await withTaskGroup(of: Void.self) { writers in
                for _ in 0..<4 {
                    writers.addTask {
                        for number in 0..<400 {
                            guard let path = api.post("/v1/bars", Bodies.create()).fields[.location] else { continue }
                            let events = (0..<(number % 5) * 20 + 1).map { Bodies.offset(Double($0)) }
                            let posted = api.post(path + "/events", Bodies.batch(events))
                            #expect(posted.status == 200)
                            _ = api.put(path + "/tracks", LargeBodies.tracks, [.ifMatch: "*"])
                        }
                    }
                }
            }
            isOver.change { $0 = true }
        }
        #expect(highest.current <= limit)
        #expect(api.statistics.bytes > limit * 9 / 10)
        #expect(api.post("/v1/bars", Bodies.create("\"tracks\":\(tracks)")).code == "session-limit")
    }
}
