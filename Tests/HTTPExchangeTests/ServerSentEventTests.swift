import HTTPExchange
import TestSupport
import Testing

@Suite
struct ServerSentEventTests {
    private func text(_ event: ServerSentEvent) -> String {
        String(decoding: event.bytes, as: UTF8.self)
    }

    @Test(
        "an event is a field in each line, then an empty line (WHATWG HTML, section 9.2.5)",
        arguments: [
            (ServerSentEvent(data: "x"), "data: x\n\n"),
            (ServerSentEvent("state", id: "7", data: "{}"), "event: state\nid: 7\ndata: {}\n\n"),
            (ServerSentEvent(data: ""), "data: \n\n"),
            (ServerSentEvent(data: "a\nb"), "data: a\ndata: b\n\n"),
            (ServerSentEvent(data: "a\r\nb\rc\n"), "data: a\ndata: b\ndata: c\ndata: \n\n"),
            (ServerSentEvent(data: "\n\r\n"), "data: \ndata: \ndata: \n\n"),
            (ServerSentEvent(data: " a"), "data:  a\n\n"),
            (ServerSentEvent(id: "", data: "ä🐐"), "id: \ndata: ä🐐\n\n"),
        ]
    )
    func encoding(event: ServerSentEvent, expected: String) {
        #expect(text(event) == expected)
    }

    /// Returns the events of a whole stream, by a client's algorithm in section 9.2.6.
    private func received(_ stream: String) -> [String] {
        var events: [String] = []
        var data: [String] = []
        for line in stream.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                if !data.isEmpty { events.append(data.joined(separator: "\n")) }
                data = []
            } else if line.hasPrefix("data:") {
                let value = line.dropFirst(5)
                data.append(String(value.first == " " ? value.dropFirst() : value))
            }
        }
        return events
    }

    @Test("any data arrives unchanged, except that its line ends become line feeds")
    func roundTrip() {
        var generator = SeededGenerator(seed: 6)
        let alphabet = ["a", " ", ":", "\n", "data:", "{", "ä", "id: 1"]
        for _ in 0..<500 {
            let data = (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
            #expect(received(text(ServerSentEvent("e", id: "1", data: data))) == [data])
        }
    }
}
