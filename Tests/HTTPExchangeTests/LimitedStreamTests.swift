import HTTPExchange
import HTTPTypes
import Primitives
import Synchronization
import Testing

@Suite struct LimitedStreamTests {
    private let refusal = Problem(.tooManyRequests, "too many")

    @Test("a client above its share of streams is refused, and its stream is closed; another client is not affected")
    func share() throws {
        let shares = ClientShares(limit: 2)
        let closes = Atomic(0)
        func open(_ client: String?) throws -> Response {
            let stream = EventStream { closes.add(1, ordering: .relaxed) }
            return try stream.response.limited(
                to: shares,
                client: client.flatMap { ClientKey($0) },
                refusal: refusal
            )
        }
        let first = try open("192.0.2.1")
        let second = try open("192.0.2.1")
        #expect(second.fields[.cacheControl] == "no-store, no-transform")
        let problem = #expect(throws: Problem.self) { try open("192.0.2.1") }
        #expect(problem?.code == "too-many-requests")
        #expect(closes.load(ordering: .relaxed) == 1)
        _ = try open("192.0.2.2")
        _ = try open(nil)

        first.content.release()
        #expect(closes.load(ordering: .relaxed) == 2)
        _ = try open("192.0.2.1")
        second.content.release()
    }

    @Test("the share is released once, when the stream is closed or deallocated")
    func givenBack() throws {
        let shares = ClientShares(limit: 2)
        let client = try #require(ClientKey("192.0.2.1"))
        var response: Response? = try EventStream().response.limited(to: shares, client: client, refusal: refusal)
        let other = try EventStream().response.limited(to: shares, client: client, refusal: refusal)
        #expect(shares.count(of: client) == 2)
        response?.content.release()
        #expect(shares.count(of: client) == 1)
        response = nil
        #expect(shares.count(of: client) == 1)
        withExtendedLifetime(other) {}
        var dropped: Response? = try EventStream().response.limited(to: shares, client: client, refusal: refusal)
        #expect(dropped != nil && shares.count(of: client) == 2)
        dropped = nil
        #expect(shares.count(of: client) == 1)
        other.content.release()
        #expect(shares.count(of: client) == 0)
    }

    @Test("all other calls are forwarded to the stream")
    func forwarded() throws {
        let stream = EventStream()
        let limited = LimitedStream(stream, of: nil, in: ClientShares(limit: 1))
        #expect(limited.length == nil)
        stream.send(SharedBytes(ServerSentEvent(data: "1").bytes))
        limited.drain()
        let text = withUnsafeTemporaryAllocation(byteCount: 100, alignment: 1) { buffer in
            guard case .copied(let count) = limited.read(into: buffer, wake: {}) else { return "" }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        #expect(text == "data: 1\n\nevent: end\ndata: {\"reason\":\"shutdown\"}\n\n")
    }
}
