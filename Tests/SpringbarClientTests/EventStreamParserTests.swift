import Testing

@testable import SpringbarClient

@Suite("Server-Sent Events")
struct EventStreamParserTests {
    @Test(
        "Events are read from pieces of any size",
        arguments: [
            ("event: state\nid: 3\ndata: {}\n\n", ["state {}"]), ("data:a\r\ndata: b\r\n\r\n", ["message a\nb"]),
            (": a comment\n\n\n", []), ("event: end\rdata: 1\r\rdata: 2\n\n", ["end 1", "message 2"]),
            ("data\n\nunknown: 1\ndata:  two\n\ndata: unfinished", ["message ", "message  two"]),
        ] as [(String, [String])]
    )
    func events(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var parser = EventStreamParser()
            var events: [StreamEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += parser.parse(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(events.map { "\($0.name) \($0.data)" } == expected, "pieces of \(size)")
        }
    }
}
