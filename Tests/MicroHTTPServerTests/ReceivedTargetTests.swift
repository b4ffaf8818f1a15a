import HTTPExchange
import Network
import TestSupport
import Testing

@testable import MicroHTTPServer

@Suite struct ReceivedTargetTests {
    @Test(
        "a cached target is used only for identical bytes",
        arguments: ["/", "/v1/bars/a?x=1", "/v1/bars/b", "/\u{FC}", "http://a/b"]
    )
    func same(text: String) {
        let target = ReceivedTarget(text)
        #expect(target.target.raw == text)
        #expect(target.isSpelled(by: text, count: text.utf8.count))
        #expect(!target.isSpelled(by: text, count: text.utf8.count - 1), "a part of it")
        #expect(!target.isSpelled(by: text + "a", count: text.utf8.count + 1), "more than it")
        var other = Array(text.utf8)
        for position in other.indices {
            other[position] ^= 1
            let isFound = other.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { target.isSpelled(by: $0.baseAddress!, count: $0.count) }
            }
            #expect(!isFound, "byte \(position)")
            other[position] ^= 1
        }
    }

    @Test("a target with repaired text is not cached, because other bytes may be repaired to the same text")
    func repaired() {
        let bytes: [CChar] = [0x2F, -1, 0]
        let target = ReceivedTarget(bytes)
        #expect(target.target.raw == "/\u{FFFD}")
        #expect(!target.isSpelled(by: bytes, count: 2))
    }

    @Test("a connection keeps its last target unless it is long or unusual, so idle connections hold little memory")
    func kept() throws {
        let exchange = try exchange()
        func received(_ text: String) -> Target { exchange.received(text, count: text.utf8.count).target }
        let first = received("/v1/bars/a/events")
        #expect(received("/v1/bars/a/events") === first)
        #expect(received("/v1/bars/b/events").raw == "/v1/bars/b/events")
        #expect(received("/v1/bars/a/events") !== first)

        let longest = "/" + String(repeating: "a", count: ReceivedTarget.keptLength - 1)
        #expect(received(longest) === received(longest))
        #expect(received(longest + "a") !== received(longest + "a"))
        weak let short = received("/short")
        #expect(short != nil)
        _ = received(longest + "a")
        #expect(short == nil, "the one before is let go of")
        #expect(received("/%00") !== received("/%00"))
        #expect(received("http://a/") !== received("http://a/"))
    }

    private func exchange() throws -> Exchange {
        let server = try ServerContext(
            configuration: Server.Configuration(),
            responder: ClosureResponder { _ in .now(Response()) },
            logger: .silent,
            descriptors: try #require(PollSet())
        )
        return Exchange(on: Connection(number: 1, descriptor: -1, peer: nil, server: server))
    }
}
