import HTTPExchange
import HTTPTypes
import Network
import Primitives
import Synchronization
import Testing

@Suite struct StreamShareTests {
    private let refusal = Problem(.tooManyRequests, "too many")

    @Test("a client above its share of streams is refused, and its stream is closed; another client is not affected")
    func share() throws {
        let shares = ClientShares(limit: 2)
        let closes = Atomic(0)
        func open(_ client: String?) throws -> Response {
            let stream = EventStream { closes.add(1, ordering: .relaxed) }
            return try stream.response(in: shares, of: client.flatMap { ClientKey($0) }, refusal: refusal)
        }
        let first = try open("192.0.2.1")
        let second = try open("192.0.2.1")
        #expect(second.fields[.cacheControl] == "no-store, no-transform")
        #expect(second.fields[.contentType] == "text/event-stream" && second.content.length == nil)
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
        var response: Response? = try EventStream().response(in: shares, of: client, refusal: refusal)
        let other = try EventStream().response(in: shares, of: client, refusal: refusal)
        #expect(shares.count(of: client) == 2)
        response?.content.release()
        #expect(shares.count(of: client) == 1)
        response = nil
        #expect(shares.count(of: client) == 1)
        withExtendedLifetime(other) {}
        var dropped: Response? = try EventStream().response(in: shares, of: client, refusal: refusal)
        #expect(dropped != nil && shares.count(of: client) == 2)
        dropped = nil
        #expect(shares.count(of: client) == 1)
        other.content.release()
        #expect(shares.count(of: client) == 0)
    }
}
