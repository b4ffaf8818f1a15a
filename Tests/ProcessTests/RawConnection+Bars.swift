import TestSupport
import Testing

/// Requests about bars, on the wire.
extension RawConnection {
    /// Creates a bar of 100, 200 and 300 points over a long list at its top, and returns its path.
    ///
    /// `more` adds members.
    func createBar(_ more: String = "") throws -> String {
        let body = """
            {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
            "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
            "frame":{"x":0,"y":0,"width":375,"height":667}}\(more.isEmpty ? "" : "," + more)}
            """
        return try #require(try post("/v1/bars", body)["Location"])
    }

    /// Posts content offsets as one batch.
    func scroll(_ bar: String, _ ys: Double...) throws {
        let events = ys.map { #"{"type":"contentOffset","contentOffset":{"x":0,"y":\#($0)}}"# }
        let answer = try post(bar + "/events?results=none", "{\"events\":[\(events.joined(separator: ","))]}")
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// Posts JSON.
    ///
    /// `lines` adds header lines, each with its line end.
    func post(_ path: String, _ body: String, _ lines: String = "") throws -> RawResponse {
        try exchange(
            """
            POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\(lines)\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        )
    }

    /// Opens a bar's stream on this connection.
    func watch(_ bar: String) throws {
        try send("GET \(bar)/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        try #require(RawResponse(head: read(through: "\r\n\r\n")).status == 200)
    }

    /// Reads one event of a stream and skips heartbeats; empty at the end.
    ///
    /// A chunk may have several events, and an event several chunks.
    func readEvent() throws -> String {
        while true {
            while let end = eventBytes.firstRange(of: Array("\n\n".utf8))?.upperBound {
                let event = String(decoding: eventBytes[..<end], as: UTF8.self)
                eventBytes.removeFirst(end)
                if !event.hasPrefix(":") { return event }
            }
            let chunk = try readChunk()
            if chunk.isEmpty { return "" }
            eventBytes += chunk
        }
    }
}
