import HTTPExchange
import HTTPTypes
import Network
import Primitives
import Testing

@Suite struct ResponseBudgetTests {
    private static let large = Response(content: .bytes([UInt8](repeating: 7, count: 10_000)))
    private static let shared = SharedBytes([UInt8](repeating: 7, count: 10_000))

    private let budget = MemoryBudget(limit: 160_000)
    private let client = ClientKey("192.0.2.1")

    private func application() throws -> Application {
        try Application(
            [
                .get("/large") { _, _ in .now(Self.large) },
                .get("/later") { _, _ in .later { Self.large } },
                .get("/shared") { _, _ in .now(Response(content: .shared(Self.shared, 0..<100))) },
                .post("/change") { _, context in
                    try context.memory.reserve(50_000)
                    return .now(Self.large)
                },
                .get("/operation", access: .operation) { _, _ in .now(Self.large) },
                .get("/small") { _, _ in .now(.text("small")) },
                .get("/stream", produces: [.eventStream]) { _, _ in .now(EventStream().response) },
            ],
            [ResponseBudget()]
        )
    }

    private func response(
        to target: String,
        _ memory: RequestMemory,
        _ method: HTTPRequest.Method = .get
    ) async throws -> Response {
        try await application().respond(to: request(method, target), memory: memory).value()
    }

    private var memory: RequestMemory { RequestMemory(MemoryAccount(budget, client: client)) }

    @Test("a response is reserved until its memory is released", arguments: ["/large", "/later", "/shared"])
    func reserved(target: String) async throws {
        let memory = memory
        #expect(try await response(to: target, memory).status == .ok)
        #expect(budget.bytes == 10_000)
        #expect(try await response(to: target, memory, .head).status == .ok)
        #expect(budget.bytes == 0, "the answer to a HEAD has no content")
        #expect(try await response(to: target, memory).status == .ok)
        memory.release()
        #expect(budget.bytes == 0)
    }

    @Test("shared bytes are reserved once for all responses")
    func shared() async throws {
        let memories = [memory, memory, memory]
        for memory in memories { #expect(try await response(to: "/shared", memory).status == .ok) }
        #expect(budget.bytes == 10_000)
        for memory in memories { memory.release() }
        #expect(budget.bytes == 0)
    }

    @Test("a response that does not fit is 503 and reserves nothing", arguments: ["/large", "/later", "/shared"])
    func refused(target: String) async throws {
        #expect(budget.reserve(75_000, for: client))
        let memory = memory
        let refused = try await response(to: target, memory)
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.problemCode == "overloaded")
        #expect(refused.fields[.retryAfter] == "1")
        #expect(budget.bytes == 75_000)
        #expect(try await response(to: target, memory, .head).status == .ok)
        #expect(try await response(to: "/small", memory).status == .ok)
        #expect(try await response(to: "/operation", memory).status == .ok)
    }

    @Test("a stream is opened only if there is memory for an event")
    func stream() async throws {
        let memory = memory
        #expect(try await response(to: "/stream", memory).status == .ok)
        #expect(budget.reserve(79_000, for: client))
        #expect(try await response(to: "/stream", memory).problemCode == "overloaded")
        #expect(budget.bytes == 79_000)
    }

    @Test("a handler reserves before it changes something; its smaller response keeps what it needs")
    func change() async throws {
        let memory = memory
        #expect(try await response(to: "/change", memory, .post).status == .ok)
        #expect(budget.bytes == 10_000)
        memory.release()
        #expect(budget.reserve(40_000, for: client))
        #expect(try await response(to: "/change", memory, .post).problemCode == "overloaded")
        #expect(budget.bytes == 40_000)
    }

    @Test("content is reserved as it grows, beside the response")
    func content() throws {
        let memory = memory
        #expect(memory.reserveContent(4096) && budget.bytes == 0)
        #expect(memory.reserveContent(30_000) && memory.reserveContent(20_000))
        try memory.reserve(20_000)
        #expect(budget.bytes == 50_000)
        #expect(!memory.reserveContent(61_000) && budget.bytes == 50_000)
        #expect(throws: Refusal.overloaded) { try memory.reserve(51_000) }
        memory.releaseContent()
        #expect(budget.bytes == 20_000)
    }

    @Test("work is reserved beside content and response, until there is a response")
    func work() throws {
        let memory = memory
        try memory.reserveWork(4096)
        #expect(budget.bytes == 0)
        #expect(memory.reserveContent(10_000))
        try memory.reserveWork(20_000)
        try memory.reserveWork(15_000)
        try memory.reserve(5_000)
        #expect(budget.bytes == 35_000)
        #expect(throws: Refusal.overloaded) { try memory.reserveWork(200_000) }
        #expect(memory.reserveUntilSent(.bytes([UInt8](repeating: 0, count: 5_000)), isOperation: false))
        #expect(budget.bytes == 15_000)
        memory.release()
        #expect(budget.bytes == 0)
    }

    @Test("memory is released with its object")
    func end() throws {
        do {
            let memory = memory
            #expect(memory.reserveContent(10_000))
            try memory.reserve(10_000)
            #expect(budget.bytes == 20_000)
        }
        #expect(budget.bytes == 0)
    }
}
