import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

/// A replica's copy of a bar may be ahead of the store, behind it or beside it.
///
/// The answer must be that of a replica without a copy.
@Suite("Copies that differ from the store")
struct BarCopyTests {
    enum Pair: CaseIterable {
        /// The store lost writes that the copy has.
        case ahead
        /// Another replica wrote.
        case behind
        /// The store lost writes, and another replica made others.
        case beside
        /// The store has another bar, without events, under the id.
        case new
    }

    /// A request about a bar.
    struct Operation: CustomStringConvertible {
        let method: HTTPRequest.Method
        let target: String
        var body = ""
        var fields: Fields = [:]

        var description: String { "\(method) \(target) \(body)" }

        func send(to api: Service, _ path: String) -> Response {
            switch method {
            case .get: api.get(path + target)
            case .put: api.put(path + target, body, fields)
            case .delete: api.delete(path, fields)
            default: api.post(path + target, body, fields)
            }
        }

        static func random(using random: inout SeededGenerator) -> Operation {
            let first = Int.random(in: 1...14, using: &random)
            let last = first + Int.random(in: 0...6, using: &random)
            let numbered = Bodies.batch((first...last).map { Bodies.offset(Double($0 * 10), sequence: $0) })
            let condition: Fields = [.ifMatch: "\"\(first)\""]
            switch Int.random(in: 0..<9, using: &random) {
            case 0: return Operation(method: .post, target: "/events", body: numbered)
            case 1: return Operation(method: .post, target: "/events?results=all", body: numbered)
            case 2: return Operation(method: .post, target: "/events", body: numbered, fields: condition)
            case 3: return Operation(method: .post, target: "/events", body: Bodies.offset(7))
            case 4: return Operation(method: .get, target: "/events?after=\(first)&limit=\(last)")
            case 5: return Operation(method: .get, target: "/states?at=\(first)")
            case 6: return Operation(method: .get, target: "")
            case 7:
                let tracks = #"{"a":{"keyframes":[{"progress":0,"value":\#(first)}]}}"#
                let isMatched = Bool.random(using: &random)
                let fields = isMatched ? [.ifMatch: "*"] : condition
                return Operation(method: .put, target: "/tracks", body: tracks, fields: fields)
            default:
                let isMatched = Bool.random(using: &random)
                return Operation(method: .delete, target: "", fields: isMatched ? [:] : condition)
            }
        }
    }

    /// Replicas of one store.
    private struct Rig {
        let store: any CountingStore
        let clock = TestClock()

        init() {
            let clock = clock
            store = RealRedis.current.map { RedisPart($0.store, clock) } ?? FakeStore { clock.now }
        }

        func replica(_ seed: UInt64) throws -> Service {
            let kind = RealRedis.current == nil ? Engine.fakeStore : .redis
            return try Engine.$current.withValue(kind) {
                try Service(seed: seed, shared: store, clock: clock)
            }
        }

        func stored(_ key: String) throws -> LoggedRecord? {
            try waiting { [store] in try await store.readWithLog(key, limit: .max) }
        }

        /// Gives the store an earlier state of a bar.
        func restore(_ logged: LoggedRecord?, of key: String) throws {
            try waiting { [store] in
                if let present = try await store.read(key), let base = RecordVersion(present) {
                    _ = try await store.remove(key, base: base)
                }
                guard let logged, let base = RecordVersion(logged.record) else { return }
                _ = try await store.create(key, logged.record, timeToLive: .seconds(900))
                guard let start = logged.start else { return }
                let log = Commit(
                    base: base,
                    record: logged.record,
                    timeToLive: .seconds(900),
                    log: LogChange(start: start, entries: logged.entries)
                )
                _ = try await store.commit(key, log)
            }
        }
    }

    private func numbered(_ numbers: ClosedRange<Int>, _ factor: Int) -> String {
        Bodies.batch(numbers.map { Bodies.offset(Double($0 * factor), sequence: $0) })
    }

    @Test(
        "every operation has the answer of a replica without a copy",
        .on(.fakeStore, .redis),
        arguments: Pair.allCases
    )
    func shared(pair: Pair) throws {
        var random = SeededGenerator(seed: UInt64(Pair.allCases.firstIndex(of: pair) ?? 0) + 20)
        for round in 0..<60 {
            let rig = Rig()
            let (a, b) = (try rig.replica(1), try rig.replica(2))
            let path = try a.bar()
            let key = "b:" + path.suffix(32)
            let created = try rig.stored(key)
            let early = Int.random(in: 1...5, using: &random)
            let late = early + Int.random(in: 1...7, using: &random)
            #expect(a.post(path + "/events", numbered(1...early, 10)).status == 200)
            let earlier = try rig.stored(key)
            switch pair {
            case .ahead:
                #expect(a.post(path + "/events", numbered(early + 1...late, 10)).status == 200)
                try rig.restore(earlier, of: key)
            case .behind:
                #expect(b.post(path + "/events", numbered(early + 1...late, 10)).status == 200)
            case .beside:
                #expect(a.post(path + "/events", numbered(early + 1...late, 10)).status == 200)
                try rig.restore(earlier, of: key)
                #expect(b.post(path + "/events", numbered(early + 1...late, 9)).status == 200)
            case .new: try rig.restore(created, of: key)
            }
            let operation = Operation.random(using: &random)
            let before = try rig.stored(key)
            let answer = operation.send(to: a, path)
            try rig.restore(before, of: key)
            let expected = operation.send(to: try rig.replica(3), path)
            #expect(answer.status == expected.status, "\(round): \(operation)")
            #expect(answer.textWithoutInstance == expected.textWithoutInstance, "\(round): \(operation)")
            #expect(answer.status.code < 500)
        }
    }
}
