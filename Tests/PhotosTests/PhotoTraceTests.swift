import HTTPExchange
import HTTPTypes
import Logging
import MicroHTTPServer
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import TestSupport
import Testing

@Suite("Traces of calls of the library")
struct PhotoTraceTests {
    private let start = "00-0af7651916cd43dd8448eb211c80319c-"
    private let fields: Fields = [
        .traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", .tracestate: "vendor=a b,other=1",
    ]

    /// Returns how many calls the library had, all with the client's trace and a span of the service.
    private func calls(_ library: FakeLibrary) -> Int {
        library.traces.count { trace in
            guard let trace, trace.state == "vendor=a b,other=1" else { return false }
            return trace.parent.hasPrefix(start) && trace.parent.hasSuffix("-01")
                && !trace.parent.contains("b7ad6b7169203331")
        }
    }

    @Test("every call for a request has its trace with a span of the service and the state of its vendors")
    func calls() async throws {
        let fixture = try PhotoFixture()
        for target in [
            "/v1/photos", "/v1/search/photos?query=a", "/v1/photos/p50?detail=full", "/v1/photos/p1/image/thumb",
            "/v1/photos/p1/image?w=640", "/v1/photos/p60/placeholder.png", "/unsplash/photos?page=4",
            "/unsplash/photos/p1",
            "/unsplash/photos/random",
        ] {
            _ = try await fixture.ask(target, fields: fields)
        }
        #expect(calls(fixture.library) == 9)
        _ = try await fixture.ask("/v1/photos/p1/download", method: .post, fields: fields)
        let ids = "{\"ids\":[\"p2\"]}"
        _ = try await fixture.ask("/v1/photos/prefetch", method: .post, fields: fields, content: ids)
        await fixture.settle()
        #expect(calls(fixture.library) == 11)
        fixture.wait(.seconds(400))
        _ = try await fixture.ask("/v1/photos", fields: fields)
        await fixture.settle()
        #expect(calls(fixture.library) == 12, "a revalidation too")
    }

    @Test("a refusal at the deadline has the span that the library has seen", .timeLimit(.minutes(1)))
    func deadline() async throws {
        let fixture = try PhotoFixture()
        var configuration = Server.Configuration(host: "127.0.0.1", port: 0)
        configuration.requestTimeout = .seconds(1)
        let server = Server(configuration: configuration, responder: fixture.application, logger: .silent)
        let port = try server.start().port
        fixture.library.close()
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let response = try await blocking {
            try RawConnection(port: port).exchange(
                "GET /v1/photos HTTP/1.1\r\nHost: x\r\nTraceparent: \(parent)\r\n\r\n"
            )
        }
        #expect(response.status == 503 && response.text.contains("deadline-exceeded"))
        #expect(response["traceparent"] == fixture.library.traces.first??.parent)
        #expect(response["traceparent"]?.hasPrefix(start) == true)
        fixture.library.open()
        await server.drain()
    }

    @Test("calls for a request without a trace have none, and a shared fetch has the trace of its first request")
    func shared() async throws {
        let fixture = try PhotoFixture()
        fixture.library.close()
        async let first = fixture.ask("/v1/photos", fields: fields)
        #expect(await blocking { eventually { !fixture.library.calls.isEmpty } })
        async let second = fixture.ask("/v1/photos")
        #expect(await blocking { eventually { fixture.service.waiters == 2 } })
        fixture.library.open()
        #expect(try await first.response.status == .ok)
        #expect(try await second.response.status == .ok)
        _ = try await fixture.ask("/v1/photos/p1?detail=full")
        #expect(fixture.library.traces.count == 2 && calls(fixture.library) == 1)
    }
}
