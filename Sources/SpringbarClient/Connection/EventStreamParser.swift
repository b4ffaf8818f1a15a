/// An event of a stream of Server-Sent Events.
struct StreamEvent: Sendable, Equatable {
    let name: String
    let data: String
}

/// Reads Server-Sent Events (HTML Standard, section 9.2.6) from bytes that arrive in any pieces.
struct EventStreamParser: Sendable {
    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var endsWithReturn = false

    /// Parses the next bytes; returns the events that they complete.
    mutating func parse(_ bytes: some Sequence<UInt8>) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            let isNewline = byte == UInt8(ascii: "\n")
            // The second byte of a CRLF ends no other line.
            defer { endsWithReturn = byte == UInt8(ascii: "\r") }
            if isNewline, endsWithReturn { continue }
            guard isNewline || byte == UInt8(ascii: "\r") else {
                line.append(byte)
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    /// Ends a line; an empty one ends an event.
    private mutating func endLine() -> StreamEvent? {
        defer { line = [] }
        guard !line.isEmpty else {
            defer { (name, data) = ("", []) }
            guard !data.isEmpty else { return nil }
            return StreamEvent(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
        }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : ""
        if value.first == " " { value.removeFirst() }
        switch parts[0] {
        case "event": name = String(value)
        case "data": data.append(String(value))
        default: break  // A comment, an id or a field that is not known.
        }
        return nil
    }
}
