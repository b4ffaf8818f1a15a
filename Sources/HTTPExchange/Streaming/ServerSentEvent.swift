import Primitives

/// One event of a stream (WHATWG HTML, section 9.2.5: https://html.spec.whatwg.org/#parsing-an-event-stream).
package struct ServerSentEvent: Sendable {
    private let name: String?
    private let id: String?
    private let data: String

    /// - Parameters:
    ///   - name: the type that a page listens for, without line ends; nil is `message`.
    ///   - id: the value of Last-Event-ID when a client reconnects, without line ends and NUL; nil keeps the previous one.
    ///   - data: any text; line ends of any kind arrive as a line feed.
    /// - Precondition: the name and the id are as described; the service makes both.
    package init(_ name: String? = nil, id: String? = nil, data: String) {
        precondition(!(name ?? "").utf8.contains(where: ServerSentEvent.endsLine), "the name must be one line")
        precondition(!(id ?? "").utf8.contains { ServerSentEvent.endsLine($0) || $0 == 0 }, "the id must be one line")
        self.name = name
        self.id = id
        self.data = data
    }

    /// The encoded event, with the empty line that ends it.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 + data.utf8.count)
        if let name { ServerSentEvent.append("event", name.utf8, to: &bytes) }
        if let id { ServerSentEvent.append("id", id.utf8, to: &bytes) }
        var lines = data.utf8[...]
        while let end = lines.firstIndex(where: ServerSentEvent.endsLine) {
            ServerSentEvent.append("data", lines[..<end], to: &bytes)
            let isPair = lines[end...].starts(with: "\r\n".utf8)
            lines = lines[end...].dropFirst(isPair ? 2 : 1)
        }
        ServerSentEvent.append("data", lines, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A comment without text, which pages do not see (section 9.2.7 recommends one every 15 seconds).
    static let heartbeat = {
        let text: StaticString = ":\n\n"
        return SharedBytes(constant: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }()

    /// Always writes a space after the colon: clients remove one, which could otherwise belong to the value.
    private static func append(_ field: String, _ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
        bytes += field.utf8
        bytes += ": ".utf8
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
