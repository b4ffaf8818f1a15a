import BarFeature
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Concurrent writers", .onEveryStore)
struct BarConcurrencyTests {
    // ThreadSanitizer makes each step many times as slow, and needs few of them to find a race.
    #if THREAD_SANITIZER
    private static let part = 8
    #else
    private static let part = 1
    #endif

    @Test("16 writers of 20,000 events to 100 bars lose none")
    func losesNone() async throws {
        let api = try Service()
        let paths = try (0..<100).map { _ in try api.bar() }
        let steps = 1250 / Self.part
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for step in 0..<steps {
                        let path = paths[(task * 7 + step * 13) % paths.count]
                        let answer = api.post(path + "/events", Bodies.offset(Double((task + step * 29) % 700)))
                        #expect(answer.status == 200)
                    }
                }
            }
        }
        let revisions = paths.compactMap { api.get($0).number("/revision") }
        #expect(revisions.reduce(0, +) == Double(16 * steps))
        // The replay of the log ends in the present state.
        for path in paths.prefix(10) {
            let last = Int(api.get(path).number("/lastSequence") ?? 0)
            #expect(
                api.get(path + "/states?at=\(last)").number("/state/offset") == api.get(path).number("/state/offset")
            )
        }
    }

    @Test("writers with If-Match lose no update")
    func ifMatch() async throws {
        let api = try Service()
        let path = try api.bar()
        let successes = Shared(0)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var done = 0
                    while done < 50 {
                        let tag = api.get(path).fields[.eTag] ?? ""
                        let answer = api.post(path + "/events", Bodies.offset(Double(task)), [.ifMatch: tag])
                        if answer.status == 200 {
                            // No other write came first: the answer has the next revision.
                            #expect(answer.fields[.eTag] == "\"\((Int(tag.dropFirst().dropLast()) ?? -2) + 1)\"")
                            successes.change { $0 += 1 }
                            done += 1
                        } else {
                            #expect(answer.status == 412)
                        }
                    }
                }
            }
        }
        #expect(successes.current == 800)
        #expect(api.get(path).number("/revision") == 800)
    }

    @Test("concurrent requests with the same numbered events apply each event once")
    func sameEvents() async throws {
        let api = try Service()
        let path = try api.bar()
        let events = BarRetryStormTests.trace(seed: 5, length: 300 / Self.part)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for event in events { #expect(api.post(path + "/events", event).status == 200) }
                }
            }
        }
        let clean = try Service()
        let cleanPath = try clean.bar()
        for event in events { _ = clean.post(cleanPath + "/events", event) }
        #expect(api.get(path).text == clean.get(cleanPath).text)
    }

    @Test("one key with two contents at once makes one bar, which all requests with its content get")
    func sameKey() async throws {
        for round in 0..<50 / Self.part {
            let api = try Service()
            let answers = await withTaskGroup(of: Response.self) { group in
                for number in 0..<4 {
                    let body = Bodies.create(y: Double(number / 2))
                    group.addTask { api.post("/v1/bars", body, [.idempotencyKey: "k"]) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status.code).sorted() == [201, 201, 422, 422], "round \(round)")
            #expect(Set(answers.compactMap { $0.fields[.location] }).count == 1)
            #expect(api.sessionCount == 1)
        }
    }

    @Test("concurrent creations, writes, ends and streams release everything")
    func churn() async throws {
        let api = try Service(maxSessions: 200, maxBytes: 1 << 20)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<12 {
                group.addTask {
                    for step in 0..<60 / Self.part {
                        guard let path = api.post("/v1/bars", Bodies.create()).fields[.location] else { continue }
                        let watching = api.get(path + "/stream")
                        for y in 0..<40 { _ = api.post(path + "/events", Bodies.offset(Double(y * 11 % 300))) }
                        if step % 3 == 0 { _ = api.delete(path) }
                        if step % 7 == task % 7 {
                            api.clock.advance(seconds: 100)
                            api.expire()
                        }
                        if case .stream(let stream) = watching.content { stream.close() }
                    }
                }
            }
        }
        api.clock.advance(seconds: 10_000)
        api.expire()
        #expect(api.sessionCount == 0)
        #expect(api.statistics.bytes == 0)
        #expect(api.sessions.store.observers.count == 0)
    }
}
