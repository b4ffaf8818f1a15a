import HTTPExchange
import HTTPTypes
import Primitives
import Testing

@Suite struct ResponseBudgetTests {
    private static let large = Response(content: .bytes([UInt8](repeating: 7, count: 10_000)))

    private func application(_ memory: MemoryBudget) throws -> Application {
        try Application(
            [
                .get("/large") { _, _ in .now(Self.large) }, .post("/large") { _, _ in .now(Self.large) },
                .get("/operation") { _, _ in .now(Self.large) }.asOperation,
                .get("/small") { _, _ in .now(.text("small")) },
                .get("/stream", produces: [.eventStream]) { _, _ in .now(EventStream().response) },
            ],
            [ResponseBudget(memory)]
        )
    }

    @Test("a response that does not fit is 503, unless it is small or the request may have changed something")
    func answers() async throws {
        let memory = MemoryBudget(limit: 20_000)
        let application = try application(memory)
        #expect(try await application.response(to: request(.get, "/large")).status == .ok)
        memory.charge(15_000)
        let refused = try await application.response(to: request(.get, "/large"))
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.problemCode == "overloaded")
        #expect(refused.fields[.retryAfter] == "1")
        #expect(memory.refusals == 1)
        #expect(memory.bytes == 15_000, "the server charges, not this")
        #expect(try await application.response(to: request(.head, "/large")).status == .ok)
        #expect(try await application.response(to: request(.post, "/large")).status == .ok)
        #expect(try await application.response(to: request(.get, "/operation")).status == .ok)
        #expect(try await application.response(to: request(.get, "/small")).status == .ok)
        #expect(try await application.response(to: request(.get, "/stream")).status == .ok)
        memory.charge(5000)
        #expect(try await application.response(to: request(.get, "/stream")).problemCode == "overloaded")
        #expect(try await application.response(to: request(.get, "/small")).status == .ok)
    }
}
