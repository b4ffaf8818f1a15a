import Dispatch
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

@testable import MotionFeature
@testable import Primitives

/// The behaviour for clients while the worker's queue is full.
@Suite("A flood of heavy requests", .timeLimit(.minutes(1)))
struct FloodTests {
    /// Keeps the worker's thread busy from `begin` until `end`.
    private final class Occupation: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let task: Task<Response, any Error>

        init(of worker: BoundedWorker<[UInt8], Response>) async throws {
            task = Task { [gate] in
                try await worker.value(named: Array("occupied".utf8)) { _ in
                    gate.wait()
                    return .text("done")
                }
            }
            try await waitUntil { worker.load.running >= 1 }
        }

        func end() async throws {
            gate.signal()
            _ = try await task.value
        }
    }

    private func get(_ target: String) -> Request { Request(method: .get, target: Target(target)) }

    @Test("of 64 different easings, those beyond the limit are refused immediately")
    func distinct() async throws {
        let service = try Service(motion: MotionHandlers(queueLimit: 4))
        let worker = service.motion.worker
        let occupation = try await Occupation(of: worker)
        let waiting = try await withThrowingTaskGroup(of: Response.self) { group in
            for index in 0..<64 {
                let target = "/v1/springs/linear?dampingRatio=0.9&response=\(0.3 + Double(index) / 1000)&maxError=0.05"
                group.addTask { try await service.respond(to: get(target)) }
            }
            // One is running and three are queued, so only refusals are answered now.
            for _ in 0..<61 {
                let answer = try #require(try await group.next())
                #expect(answer.status == 503 && answer.fields[.retryAfter] == "1")
                #expect(answer.fields[.cacheControl] != "public, max-age=2592000" && answer.fields[.eTag] == nil)
                #expect(answer.json["type"] as? String == "/problems/busy")
            }
            #expect(worker.load == WorkerLoad(queued: 3, running: 1, refused: 61))
            // The distances of a lightly damped spring take milliseconds, too.
            for ratio in ["0", "0.009"] {
                let answer = try await service.respond(to: get("/v1/springs?dampingRatio=\(ratio)&response=0.3"))
                #expect(answer.status == 503, "\(ratio)")
            }
            for target in ["/v1/springs", "/v1/springs/curve", "/v1/projection", "/v1/relative-velocity"] {
                #expect(service.get(target + Self.queries[target]!).status == 200)
            }
            #expect(service.post("/v1/gestures/rotation", #"{"rotation":1,"velocity":2}"#).status == 200)
            try await occupation.end()
            return try await group.reduce(into: []) { $0.append($1.status) }
        }
        #expect(waiting == [200, 200, 200])
        #expect(worker.load == WorkerLoad(queued: 0, running: 0, refused: 63))
    }

    private static let queries = [
        "/v1/springs": "?dampingRatio=0.8&response=0.3", "/v1/springs/curve": "?dampingRatio=1&response=0.4&fps=60",
        "/v1/projection": "?velocity=1000", "/v1/relative-velocity": "?velocity=100&current=0&target=50",
    ]

    @Test("two files of design tokens that Swift takes for one text have answers of their own")
    func files() async throws {
        let service = try Service(motion: MotionHandlers(queueLimit: 4))
        let occupation = try await Occupation(of: service.motion.worker)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for text in ["\u{e9}", "e\u{301}"] {
                let content = #"{"a":{"$type":"duration","$value":"1s","$description":"\#(text)"}}"#
                let target = Target("/v1/design-tokens?platform=css")
                let fields: Fields = [.contentType: "application/json"]
                let request = Request(method: .post, target: target, fields: fields, content: Array(content.utf8))
                group.addTask { try await service.respond(to: request).text }
            }
            try await waitUntil { service.motion.worker.load.queued == 2 }
            try await occupation.end()
            return try await group.reduce(into: Set()) { $0.insert(Array($1.utf8)) }
        }
        #expect(answers.count == 2)
    }

    @Test("64 requests for the same easing share one computation, and none is refused")
    func same() async throws {
        let service = try Service(motion: MotionHandlers(queueLimit: 2))
        let occupation = try await Occupation(of: service.motion.worker)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try await service.respond(to: get("/v1/springs/linear?dampingRatio=1&response=0.3&maxError=0.05"))
                        .status.code
                }
            }
            try await waitUntil { service.motion.answers.usage.misses >= 64 }
            try await occupation.end()
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == [200])
        #expect(service.motion.worker.load.refused == 0)
    }
}
