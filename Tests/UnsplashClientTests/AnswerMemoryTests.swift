import PhotoLibrary
import Primitives
import TestSupport
import Testing
import UnsplashClient

/// Responses of the API are charged to the memory budget while they arrive and are parsed.
@Suite("Memory of responses", .timeLimit(.minutes(1)))
struct AnswerMemoryTests {
    @Test("an arriving response is charged, and released when its request is cancelled")
    func arriving() async throws {
        let memory = MemoryBudget(limit: 1 << 20)
        let server = try LoopbackServer { _, connection in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")
            connection.write([UInt8](repeating: UInt8(ascii: " "), count: 50_000))
            _ = connection.waitForClose()
        }
        let client = try makeClient(server, memory: memory)
        defer { client.stop() }
        let call = Task { try await client.get("/photos/x") }
        while memory.bytes < 50_000 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(memory.bytes <= 100_000)
        call.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await call.value }
        while memory.bytes > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("a response beyond the budget is refused, and the next one is not")
    func overloaded() async throws {
        let memory = MemoryBudget(limit: 40_000)
        let server = try LoopbackServer { head, connection in
            if head.contains("/photos/large") {
                connection.answer([UInt8](repeating: UInt8(ascii: " "), count: 90_000))
            } else {
                connection.answer("{\"url\":\"https://images.unsplash.com/x\"}")
            }
        }
        let client = try makeClient(server, memory: memory)
        defer { client.stop() }
        #expect(await error { _ = try await client.get("/photos/large") } == .overloaded)
        _ = try await client.get("/photos/x/download?ixid=a")
        while memory.bytes > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
}
