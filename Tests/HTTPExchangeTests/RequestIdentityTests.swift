import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct RequestIdentityTests {
    private let application: Application

    init() throws {
        application = try Application(
            [
                .get("/") { _, context in
                    .now(
                        .text(
                            "\(context.requestID) \(context.trace?.traceparent ?? "-") \(context.trace?.state ?? "-")"
                        )
                    )
                }
            ],
            [RequestIdentity(makeSpanID: { 0xABC })]
        )
    }

    private static let long = String(repeating: "a", count: 128)

    @Test(
        "a well-formed id is used and echoed",
        arguments: [
            "a", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "Zm9vYmFy+/8=", "a.b_c~d", long,
        ]
    )
    func takenOver(id: String) async throws {
        let response = try await application.response(to: request(.get, "/", [.xRequestID: id]))
        #expect(response.fields[.xRequestID] == id)
        #expect(response.text == "\(id) - -")
    }

    @Test(
        "another id is replaced by a new one",
        arguments: ["", " ", "a b", "a\"b", "a,b", "ä", "a:b", "<script>", "a\u{7F}b", "{}", long + "a"]
    )
    func replaced(id: String) async throws {
        let response = try await application.response(to: request(.get, "/", [.xRequestID: id]))
        #expect(response.fields[.xRequestID] == "made-id")
    }

    @Test("without an id, or with two, a new one is created; errors have it, too")
    func made() async throws {
        var twice = request()
        twice.fields.append(.xRequestID, "a")
        twice.fields.append(.xRequestID, "b")
        for asked in [request(), twice] {
            #expect(try await application.response(to: asked).fields[.xRequestID] == "made-id")
        }
        let missing = try await application.response(to: request(.get, "/nothing", [.xRequestID: "mine"]))
        #expect(missing.fields[.xRequestID] == "mine")
        #expect(missing.text?.contains(#""instance":"mine""#) == true)
    }

    @Test(
        "the refusal of a promised response has the id and the span that its work has used; another request has others"
    )
    func promised() async throws {
        let numbers = UniqueNumbers(seed: 1)
        let application = try Application(
            [.get("/") { _, context in .later { .text(context.trace?.traceparent ?? "-") } }],
            [RequestIdentity(makeSpanID: { numbers.next() })]
        )
        let fields: Fields = [.traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]
        let memory = RequestMemory.unlimited()
        let sent = try await application.respond(to: request(.get, "/", fields), memory: memory).value().text
        for refusal in [Refusal.deadlineExceeded, .draining] {
            let response = application.response(to: refusal, of: request(.get, "/", fields), memory: memory)
            #expect(response.fields[.traceparent] == sent)
        }
        memory.release()
        let other = application.response(to: .draining, of: request(.get, "/", fields), memory: memory)
        #expect(other.fields[.traceparent] != sent)
    }

    @Test("a trace is continued with a new span, in the context and in the response")
    func trace() async throws {
        let response = try await application.response(
            to: request(
                .get,
                "/",
                [.traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", .tracestate: "a=1,b=2"]
            )
        )
        let continued = "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000abc-01"
        #expect(response.text == "made-id \(continued) a=1,b=2")
        #expect(response.fields[.traceparent] == continued)
        #expect(response.fields[.tracestate] == "a=1,b=2")
    }

    @Test(
        "a state is passed on as one list of at most 512 printable characters",
        arguments: [
            (["a=1", "b=2"], "a=1,b=2"), (["a=1\tb"], "a=1\tb"), ([""], nil), (["a=ä"], nil), (["a=\u{1}"], nil),
            ([String(repeating: "a", count: 512)], String(repeating: "a", count: 512)),
            ([String(repeating: "a", count: 513)], nil),
        ] as [([String], String?)]
    )
    func state(values: [String], expected: String?) async throws {
        var asked = request(.get, "/", [.traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"])
        for value in values { asked.fields.append(.tracestate, value) }
        #expect(try await application.response(to: asked).fields[.tracestate] == expected)
    }

    @Test("a missing, malformed or repeated trace is ignored together with its state")
    func noTrace() async throws {
        let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var twice = request(.get, "/", [.traceparent: valid])
        twice.fields.append(.traceparent, valid)
        for asked in [twice, request(.get, "/", [.traceparent: "00-0-0-0", .tracestate: "a=1"]), request()] {
            let response = try await application.response(to: asked)
            #expect(response.text == "made-id - -")
            #expect(response.fields[.traceparent] == nil)
            #expect(response.fields[.tracestate] == nil)
        }
    }
}

@Suite
struct TraceContextTests {
    @Test(
        "invalid values are ignored (W3C Trace Context, section 3.2.2)",
        arguments: [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            // The example of a later version in section 3.2.4: text after the flags is allowed.
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-brings", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", false),
            ("00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e473x-00f067aa0ba902b7-01", false),
            ("", false),
        ]
    )
    func validity(text: String, isValid: Bool) {
        #expect((TraceContext(traceparent: text, spanID: 1) != nil) == isValid)
    }

    @Test("ids keep their leading zeros, and only the defined flag is kept")
    func parts() throws {
        let trace = try #require(
            TraceContext(traceparent: "00-000000000000000a000000000000000b-000000000000000c-ff", state: "x", spanID: 13)
        )
        #expect(trace.traceID == "000000000000000a000000000000000b")
        #expect(trace.traceparent == "00-000000000000000a000000000000000b-000000000000000d-01")
        #expect(trace.state == "x")
    }
}

@Suite
struct UniqueNumbersTests {
    @Test("an id is thirteen digits")
    func ids() {
        let numbers = UniqueNumbers(seed: 7)
        for _ in 0..<100 { #expect(numbers.nextID().wholeMatch(of: /[0-9a-hjkmnp-tv-z]{13}/) != nil) }
    }

    @Test("concurrent threads never get the same number")
    func threads() async {
        let numbers = UniqueNumbers(seed: 8)
        let all = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 { group.addTask { (0..<5000).map { _ in numbers.next() } } }
            return await group.reduce(into: [UInt64]()) { $0 += $1 }
        }
        #expect(Set(all).count == 20000)
    }
}
