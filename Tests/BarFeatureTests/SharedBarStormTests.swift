import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import Synchronization
import TestSupport
import Testing

@Suite("Storms on a shared store")
struct SharedBarStormTests {
    /// Fails calls at random: before their effect, after it, or without trace.
    private func faults(_ seed: UInt64, share: Double) -> @Sendable (FakeStore.Call) -> FakeStore.Fate {
        let random = Lock(SeededGenerator(seed: seed))
        return { _ in
            random.withLock { random in
                guard Double.random(in: 0..<1, using: &random) < share else { return .works }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: return .fails(.unavailable)
                case 1: return .fails(.unknownOutcome)
                default: return .losesReply
                }
            }
        }
    }

    @Test(
        "numbered events with retries through two replicas end in the same bytes",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func numbered(seed: UInt64) async throws {
        let replicas = try Replicas()
        let events = BarRetryStormTests.trace(seed: seed, length: 200)
        let paths = try (0..<4).map { _ in try replicas.a.bar() }
        replicas.store.onCall(faults(seed, share: 0.3))
        await withTaskGroup(of: Void.self) { group in
            for (client, path) in paths.enumerated() {
                group.addTask {
                    for (number, event) in events.enumerated() {
                        // The next replica is tried until one has answered.
                        for attempt in 0..<100 {
                            let answer = replicas[client + number + attempt].post(path + "/events", event)
                            if answer.status == 200 { break }
                            #expect(answer.status == 503, "\(answer.text)")
                        }
                    }
                }
            }
        }
        replicas.store.onCall { _ in .works }
        let clean = try Service(seed: seed)
        let cleanPath = try clean.bar()
        for event in events { _ = clean.post(cleanPath + "/events", event) }
        let expected = clean.get(cleanPath + "/events?limit=512").text
        let state = clean.get(cleanPath + "/states?at=\(events.count)")
        for path in paths {
            #expect(replicas.a.get(path + "/events?limit=512").text == expected)
            #expect(replicas.b.get(path).number("/revision") == Double(events.count))
            let last = replicas.b.get(path + "/states?at=\(events.count)")
            #expect(last.number("/state/offset") == state.number("/state/offset"))
            #expect(last.number("/state/offset") == replicas.a.get(path).number("/state/offset"))
        }
    }

    @Test("concurrent writers without numbers lose no acknowledged event")
    func unnumbered() async throws {
        let replicas = try Replicas()
        let path = try replicas.a.bar()
        let (acknowledged, unknown) = (Shared(0), Shared(0))
        replicas.store.onCall(faults(9, share: 0.1))
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask {
                    for step in 0..<40 {
                        let answer = replicas[client].post(path + "/events", Bodies.offset(Double(step)))
                        (answer.status == 200 ? acknowledged : unknown).change { $0 += 1 }
                    }
                }
            }
        }
        replicas.store.onCall { _ in .works }
        let revision = Int(replicas.a.get(path).number("/revision") ?? -1)
        #expect(acknowledged.current...(acknowledged.current + unknown.current) ~= revision)
        #expect(acknowledged.current > 200)
        #expect(replicas.a.get(path + "/events?limit=512").count("/events") == revision)
    }
}
