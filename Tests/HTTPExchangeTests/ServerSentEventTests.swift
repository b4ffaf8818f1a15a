import HTTPExchange
import Testing

@Suite
struct ServerSentEventTests {
    @Test(
        "an event is a field in each line, then an empty line (WHATWG HTML, section 9.2.5)",
        arguments: [
            (nil, "x", "event: e\ndata: x\n\n"), ("7", "{}", "event: e\nid: 7\ndata: {}\n\n"),
            (nil, "", "event: e\ndata: \n\n"), (nil, " a", "event: e\ndata:  a\n\n"),
            ("", "ä🐐", "event: e\nid: \ndata: ä🐐\n\n"),
        ] as [(String?, String, String)]
    )
    func encoding(id: String?, data: String, expected: String) {
        #expect(String(decoding: ServerSentEvent.bytes("e", id: id, data: data), as: UTF8.self) == expected)
    }

    @Test(
        "a second line in a part ends the process",
        arguments: [("a\n", "7", "x"), ("a", "7\n", "x"), ("a", "7", "x\ny"), ("a", "7", "x\r")]
    )
    func lines(name: String, id: String, data: String) async {
        await #expect(processExitsWith: .failure) { [name, id, data] in
            _ = ServerSentEvent.bytes(name, id: id, data: data)
        }
    }
}
